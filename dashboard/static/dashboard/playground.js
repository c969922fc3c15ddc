// The playground with scripts: the data in an editor, the document beside it, the code following what is typed.
// Without scripts the same form shows the document itself, or its errors.

import { codeEditor } from "./editor/code.js";
import { debounce, h } from "./editor/dom.js";
import { PdfView } from "./editor/pdfview.js";
import { SheetView } from "./editor/sheetview.js";

const root = document.querySelector("#playground");
const form = document.querySelector("#request-form");
const area = form.querySelector("[name=values]");
const button = form.querySelector("#render");
const stage = root.querySelector("#stage");
const parts = {
  pdf: root.querySelector("#pdf"), xlsx: root.querySelector("#xlsx"), empty: root.querySelector("#result-empty"),
  facts: root.querySelector("#facts"), links: root.querySelector("#result-links"), problems: root.querySelector("#problems"),
  code: root.querySelector("#code-view"), own: form.querySelector("#own-data"),
};
const pages = new PdfView(parts.pdf, { library: root.dataset.pdf, worker: root.dataset.pdfWorker });
const sheets = new SheetView(parts.xlsx);
const token = form.querySelector("[name=csrfmiddlewaretoken]").value;

let editor = null;
let flaws = [];
let running = null;
let address = "";

const post = (url, accept, signal) => fetch(url, {
  method: "POST", signal, headers: { Accept: accept, "X-CSRFToken": token }, body: new FormData(form), redirect: "error",
});

/** `data.items[0].price` -> `["items", 0, "price"]` */
const path = (field) => [...field.replace(/^data\.?/, "").matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) => (index === undefined ? name : Number(index)));

const size = (bytes) => (bytes < 1024 ? `${bytes} bytes` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1048576).toFixed(1)} MB`);

function show(name) {
  for (const part of ["pdf", "xlsx", "empty"]) parts[part].hidden = part !== name;
  stage.classList.remove("old");
}

async function render() {
  running?.abort();
  const mine = (running = new AbortController());
  button.setAttribute("aria-disabled", "true"); // not `disabled`: that would take the focus from whoever pressed it
  parts.facts.textContent = "Rendering…";
  try {
    const answer = await post(root.dataset.render, "multipart/form-data", mine.signal);
    const type = answer.headers.get("Content-Type") ?? "";
    if (answer.ok && type.startsWith("multipart/")) await accepted(await answer.formData());
    else refused(type.includes("json") ? await answer.json() : { problems: [{ field: "", message: sentence(answer.status) }] });
  } catch (error) {
    if (error.name === "AbortError") return;
    refused({ problems: [{ field: "", message: error instanceof TypeError ? "There is no connection to the service, or you have been logged out." : "The document cannot be shown here." }] });
  } finally {
    if (running === mine) button.removeAttribute("aria-disabled");
  }
}

const sentence = (status) => (status === 403 ? "You may not do this: your role or your log-in has changed." : "The service could not answer. Try it again.");

async function accepted(answer) {
  const result = JSON.parse(answer.get("result"));
  const file = await answer.get("file").arrayBuffer();
  problems([]);
  URL.revokeObjectURL(address);
  address = URL.createObjectURL(new Blob([file], { type: answer.get("file").type }));
  parts.links.replaceChildren(
    ...(result.url ? [h("a", { class: "button small", href: result.url }, "Open document")] : []),
    h("a", { class: "button small", href: address, download: result.filename }, "Download"),
  );
  let count = "";
  if (result.format === "pdf") {
    show("pdf");
    parts.pdf.scrollTop = 0;
    const number = await pages.show(file, result.password);
    count = ` · ${number} page${number === 1 ? "" : "s"}`;
  } else if (result.sheets.length) {
    show("xlsx");
    sheets.show(result.sheets);
  } else {
    parts.empty.replaceChildren(h("p", {}, "The workbook is ready to be downloaded."));
    show("empty");
  }
  parts.facts.textContent = `${result.milliseconds} ms · ${size(result.bytes)}${count}${result.url ? " · kept" : ""}`;
}

function refused(answer) {
  parts.facts.textContent = "";
  stage.classList.add("old");
  problems(answer.problems?.length ? answer.problems : [{ field: "", message: answer.message }]);
}

function problems(list) {
  flaws = list.filter(({ field }) => field.startsWith("data")).map(({ field, message }) => ({ path: path(field), message }));
  editor?.recheck();
  parts.problems.hidden = !list.length;
  parts.problems.replaceChildren(...list.map(({ field, message }) => h("p", {}, field ? h("code", {}, field) : null, h("span", {}, message))));
}

async function code() {
  const chosen = parts.code.querySelector("[name=language]:checked")?.value;
  const answer = await post(root.dataset.code, "text/html").catch(() => null);
  if (!answer?.ok) return;
  parts.code.innerHTML = await answer.text();
  const again = parts.code.querySelector(`[name=language][value="${chosen}"]`);
  if (again) again.checked = true;
}

const codeSoon = debounce(code, 350);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!button.hasAttribute("aria-disabled")) render();
});
form.addEventListener("input", codeSoon);
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(button);
  }
}, true);

// Typed data outlives a look at another template, the way back and a reload, in this tab only.
const key = root.dataset.kept;
const sample = area.defaultValue; // `value` may be what the browser brought back by itself

const typedBefore = () => {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null; // the browser lets nothing be stored
  }
};

function keep(text) {
  try {
    if (text === sample) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // No room: it is on the page as long as that is open.
  }
}

async function begin() {
  area.value = typedBefore() ?? sample;
  editor = await codeEditor({
    url: root.dataset.codemirror, label: "Data", text: area.value, check: () => flaws,
    onText: (text) => {
      area.value = text;
      parts.own.hidden = true;
      keep(text);
      flaws = [];
      codeSoon();
    },
  });
  if (area.value !== sample) {
    parts.own.hidden = false;
    codeSoon();
  }
  parts.own.querySelector("button").addEventListener("click", () => {
    editor.set(sample);
    area.value = sample;
    keep(sample);
    parts.own.hidden = true;
    flaws = [];
    codeSoon();
    editor.focus();
    render();
  });
  if (area.value !== editor.text()) {
    editor.set(area.value); // typed before the editor was there
    keep(area.value);
  }
  area.before(editor.element);
  area.hidden = true;
  // The label names the editor now, and a click on it goes there.
  form.querySelector(`label[for="${area.id}"]`).addEventListener("click", (event) => {
    event.preventDefault();
    editor.focus();
  });
  await render();
}

begin();
