"""SIP (RFC 3261): calls over UDP, TCP and TLS, media over RTP. A user agent of our own."""
