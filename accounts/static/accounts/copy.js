"use strict";

// Copy buttons beside the new keys. The clipboard needs https or localhost; elsewhere the selected text is copied.
document.querySelectorAll("[data-key]").forEach((field) => field.addEventListener("focus", () => field.select()));

document.querySelectorAll("[data-copy]").forEach((button) => {
    button.addEventListener("click", async () => {
        const field = document.getElementById(button.dataset.copy);
        const label = button.querySelector("[data-label]");
        field.select();
        let copied = false;
        try {
            await navigator.clipboard.writeText(field.value);
            copied = true;
        } catch {
            copied = document.execCommand("copy");
        }
        label.textContent = copied ? "Copied" : "Press Ctrl+C";
        setTimeout(() => { label.textContent = "Copy"; }, 2000);
    });
});
