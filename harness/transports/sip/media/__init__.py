"""The sound of a SIP call: RTP both ways, each packet stamped, sent by one thread for all calls."""
