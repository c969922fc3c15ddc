// Uploads with their progress: chosen or dropped files are sent one by one, and a refusal names its reason.
// Without scripts the same form sends them all at once.

const form = document.querySelector("#upload");
const input = form.querySelector("#files");
const list = form.querySelector("#uploads");
const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
const TOO_LARGE = `The file is too large: ${form.dataset.limits}.`;
const BUSY = "The service could not take this file. Try it again.";

/** Send one file; resolves to a refusal in words, or to an empty text. */
function send(file, progress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRFToken", token);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) progress.value = event.loaded / event.total;
    });
    request.addEventListener("load", () => resolve(refusal(request)));
    request.addEventListener("error", () => resolve("There is no connection to the service."));
    const body = new FormData();
    body.append("files", file);
    request.send(body);
  });
}

function refusal(request) {
  if (request.status === 200 && request.responseText.startsWith("{")) return "";
  if (request.status === 422) return JSON.parse(request.responseText).message;
  if (request.status === 413) return TOO_LARGE;
  return request.status === 403 ? "You may not upload: your role or your log-in has changed." : BUSY;
}

function row(file) {
  const item = document.createElement("li");
  const name = document.createElement("span");
  name.className = "break";
  name.textContent = file.name;
  const progress = document.createElement("progress");
  progress.max = 1;
  progress.value = 0;
  progress.setAttribute("aria-label", `Upload of ${file.name}`);
  item.append(name, progress);
  list.append(item);
  return { item, progress };
}

async function upload(files) {
  if (!files.length) return;
  list.replaceChildren();
  list.hidden = false;
  const rows = files.map((file) => ({ file, ...row(file) }));
  let refused = 0;
  for (const { file, item, progress } of rows) {
    // What no kind of file may have is not sent at all: that could take minutes.
    const reason = file.size > Number(form.dataset.most) ? TOO_LARGE : await send(file, progress);
    progress.value = 1;
    if (!reason) continue;
    refused += 1;
    progress.remove();
    const text = document.createElement("p");
    text.className = "errors";
    text.textContent = reason;
    item.append(text);
  }
  document.querySelector("#announcer").textContent =
    `${files.length - refused} of ${files.length} uploaded${refused ? `, ${refused} refused` : ""}`;
  input.value = "";
  if (!refused) location.reload();
  else if (refused < files.length) await renew();
}

/** Show what was stored beside what was refused, without losing the reasons. */
async function renew() {
  const answer = await fetch(location.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector(".asset-cards");
  const shown = document.querySelector(".asset-cards, .empty");
  if (fresh && shown) shown.replaceWith(fresh);
}

form.classList.add("scripted");
input.addEventListener("change", () => upload([...input.files]));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  upload([...input.files]);
});

let depth = 0;
const content = document.querySelector("#content");
const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
content.addEventListener("dragenter", (event) => {
  if (!carriesFiles(event)) return;
  depth += 1;
  form.classList.add("over");
});
content.addEventListener("dragleave", () => {
  depth = Math.max(0, depth - 1);
  if (!depth) form.classList.remove("over");
});
content.addEventListener("dragover", (event) => {
  if (carriesFiles(event)) event.preventDefault();
});
content.addEventListener("drop", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  depth = 0;
  form.classList.remove("over");
  upload([...event.dataTransfer.files]);
});
