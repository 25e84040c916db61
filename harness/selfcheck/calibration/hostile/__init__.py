"""What we report of agents whose media clock lies: calls to the calibration agent, which logs when its
packets really left."""
