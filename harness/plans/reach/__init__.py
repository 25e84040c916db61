"""How an agent is reached, beside its address: ICE servers, whom TLS trusts, which codecs may be spoken."""
