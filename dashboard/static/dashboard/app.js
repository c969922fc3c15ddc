// Small comforts of every page. Nothing here is needed: without it forms, links and menus still work.
//   <a href="..." data-dialog>         shows the page it leads to in a dialog
//   <button data-copy="#id">           copies the text or value of an element
//   <button data-open="#id">           opens a <dialog>; data-close in it closes it
//   <button data-dismiss>              takes away the .toast around it
//   <form data-submit-on-change>       sends itself when a field of it changes

const announce = (text) => {
  document.querySelector("#announcer").textContent = text;
};

function select(source) {
  source.focus();
  if (source.select) source.select();
  else getSelection().selectAllChildren(source);
}

// Browsers give a page the clipboard over https and on localhost only, and where nobody has forbidden it.
// Elsewhere the text is selected and copied from there, at worst by whoever wanted it.
async function toClipboard(source) {
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    return true;
  } catch {
    select(source);
    return document.execCommand("copy");
  }
}

async function copy(button) {
  const label = button.querySelector("[data-label]");
  const done = await toClipboard(document.querySelector(button.dataset.copy));
  announce(done ? "Copied" : "Selected, to be copied");
  if (done) button.focus();
  if (label) {
    label.dataset.label ||= label.textContent;
    label.textContent = done ? "Copied" : "Selected";
    setTimeout(() => { label.textContent = label.dataset.label; }, 1600);
  }
}

async function showInDialog(link) {
  const answer = await fetch(link.href, {headers: {"X-Dialog": "1"}});
  if (!answer.ok || answer.redirected) {
    location.assign(link.href);
    return;
  }
  const dialog = document.querySelector("#page-dialog");
  dialog.innerHTML = await answer.text();
  const heading = dialog.querySelector("h1, h2");
  if (heading) {
    heading.id ||= "page-dialog-title";
    dialog.setAttribute("aria-labelledby", heading.id);
  }
  window.htmx?.process(dialog);
  dialog.showModal();
}

const CLICKS = {
  "a[data-dialog]": (link, event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    event.preventDefault();
    showInDialog(link).catch(() => location.assign(link.href));
  },
  "[data-copy]": (button) => copy(button),
  "[data-open]": (button) => document.querySelector(button.dataset.open).showModal(),
  "[data-close]": (button, event) => {
    const dialog = button.closest("dialog[open]");
    if (dialog) {
      event.preventDefault();
      dialog.close();
    }
  },
  "[data-dismiss]": (button) => button.closest(".toast").remove(),
};

document.addEventListener("click", (event) => {
  for (const [selector, act] of Object.entries(CLICKS)) {
    const target = event.target.closest(selector);
    if (target) {
      act(target, event);
      break;
    }
  }
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// A click on the backdrop is a click on the dialog itself, outside of its content.
document.addEventListener("mousedown", (event) => {
  if (event.target instanceof HTMLDialogElement && event.target.dataset.light !== undefined) {
    event.target.close();
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.activeElement?.closest("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

document.addEventListener("change", (event) => {
  event.target.closest("form[data-submit-on-change]")?.requestSubmit();
});

for (const here of document.querySelectorAll(".tabs [aria-current]")) {
  here.scrollIntoView({block: "nearest", inline: "center"});
}

for (const toast of document.querySelectorAll(".toast.success, .toast.info")) {
  setTimeout(() => toast.remove(), 8000);
}

// A second click on a button that is already sending would send twice.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!event.defaultPrevented && form.method === "post" && !form.matches("[hx-post]")) {
    setTimeout(() => {
      for (const button of form.querySelectorAll("button:not([type=button], :disabled)")) {
        button.disabled = true;
        button.dataset.sent = "";
      }
    });
  }
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll("button[data-sent]")) button.disabled = false;
});

const bar = document.querySelector(".loading");
let waiting = 0;
document.addEventListener("htmx:before:request", () => {
  waiting += 1;
  bar?.classList.add("on");
});
document.addEventListener("htmx:after:request", () => {
  waiting = Math.max(0, waiting - 1);
  if (!waiting) bar?.classList.remove("on");
});
