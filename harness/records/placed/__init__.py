"""How calls came about: placed by us, or rung for."""
