"""SIP itself (RFC 3261): messages, how they travel, transactions, dialogs, and what becomes of a call."""
