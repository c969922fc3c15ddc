// Swagger UI has a dark look and leaves it to the page when to show it: as the system does.
const system = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", system.matches);
system.addEventListener("change", follow);
follow();
