-- Any host with room, and any device there (Random of Weng et al. 2023).
return require("gpu").policy("Weng et al. 2023 (Random)", "random", "random")
