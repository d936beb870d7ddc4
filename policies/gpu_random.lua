-- Any host with room, and any device there.
return require("gpu").policy("Weng et al. 2023 (Random)", "random", "random")
