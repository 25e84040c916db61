"""pipecat's SmallWebRTC: signalling over HTTP, media over WebRTC, messages over RTVI."""
