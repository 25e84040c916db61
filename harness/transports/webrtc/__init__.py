"""What any transport over aiortc stands on: connections, paced sending, stamps at sockets, codecs agreed.

- ``offered_call``: a call by one offer of ours and one answer: most transports need no more than this.
- ``dialling``: a call that has to stand within its time.
- ``peer_connection``, ``connection_state``: aiortc's connection, made to tell what goes wrong in it.
- ``ice``: which STUN and TURN server is used, and why another one is not; what a relay's client looks like.
- ``media_tap``: stamps at sockets, paired with decrypted packets; over several connections, if need be.
- ``probe_stream``: stamps of packets that pass a TURN server.
- ``paced_track``: the uplink's packets on their deadlines.
- ``codec_choice``: which codecs an offer names, and which one an answer took.
- ``loopback``, ``their_tasks``: what aioice and aiortc do not do by themselves.
"""
