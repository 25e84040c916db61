"""Sound as the payloads of packets: the port (``base``), one file per codec, the ``table`` of them."""
