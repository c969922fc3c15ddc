/** The editor's page: puts the parts together and leads from one to the other. */

import { isChoosing } from "./complete.js";
import { basic } from "./controls/basic.js";
import { conditions } from "./controls/conditions.js";
import { lists } from "./controls/lists.js";
import { objects } from "./controls/objects.js";
import { fit, texts } from "./controls/text.js";
import { fill, h, uid } from "./dom.js";
import { buildForm, keepFocus, register } from "./form.js";
import { JsonTab } from "./jsontab.js";
import { Outline } from "./outline.js";
import { PageTab } from "./pagetab.js";
import { formatPath, get, parsePath, samePath } from "./paths.js";
import { PdfView } from "./pdfview.js";
import { pickKind } from "./picker.js";
import { Preview } from "./preview.js";
import { Problems, fieldAt } from "./problems.js";
import { Samples } from "./samples.js";
import { Saving, docOf } from "./save.js";
import { sectionOf } from "./sections.js";
import { SheetView } from "./sheetview.js";
import { Store } from "./store.js";
import { Variables } from "./variables.js";

/** @param {string} id @returns {any} */
const el = (id) => document.getElementById(id);
const app = el("ed-app");
const data = JSON.parse(el("ed-data").textContent);
const store = new Store(docOf(data));
store.variables = data.template.variables;
const context = { store, data, readOnly: !data.mayEdit };
register({ ...basic, ...texts, ...lists, ...conditions, ...objects });

// ---------------------------------------------------------------- tabs

const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-tab]")]);

/** @param {string} key @param {boolean} [focus] */
function openTab(key, focus = false) {
  for (const tab of tabs) {
    const chosen = tab.dataset.tab === key;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    el(`ed-panel-${tab.dataset.tab}`).hidden = !chosen;
    if (chosen && focus) tab.focus();
  }
  draws[key]?.();
}

for (const tab of tabs) {
  tab.addEventListener("click", () => openTab(String(tab.dataset.tab)));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step
      ? (tabs.indexOf(tab) + step + tabs.length) % tabs.length
      : event.key === "Home"
        ? 0
        : event.key === "End"
          ? tabs.length - 1
          : -1;
    if (next >= 0) {
      event.preventDefault();
      openTab(String(tabs[next].dataset.tab), true);
    }
  });
}

/** Edit or preview, where there is no room for both. @param {string} what */
function showOnly(what) {
  app.dataset.show = what;
  for (const button of document.querySelectorAll(".ed-switcher button"))
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.show === what));
}
for (const button of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll(".ed-switcher button")
))
  button.addEventListener("click", () => showOnly(String(button.dataset.show)));

// ---------------------------------------------------------------- sections

const kinds = new Map(data.kinds.map((/** @type {any} */ kind) => [kind.type, kind]));
const { Sortable, default: fallback } = await import(app.dataset.sortable);
const outline = new Outline(el("ed-outline"), context, {
  Sortable: Sortable ?? fallback,
  pick: (list) => pickKind(data.kinds, (kind) => list[0] !== "page" || !data.notInBands.includes(kind.type)),
  edit: () => {
    openTab("sections");
    el("ed-inspector").scrollTop = 0;
  },
});

function drawForm() {
  const path = store.selected;
  const section = path && store.at(path);
  el("ed-inspector").classList.toggle("ed-none", !section);
  if (!section || !path) {
    fill(el("ed-section-head"));
    fill(el("ed-form"), h("p", { class: "ed-empty" }, "Choose a section on the left, or add one."));
    return;
  }
  const kind = kinds.get(section.type);
  keepFocus(el("ed-inspector"), () => {
    fill(
      el("ed-section-head"),
      h(
        "div",
        {},
        h("h2", {}, kind?.label ?? section.type),
        h(
          "p",
          { class: "ed-help" },
          kind?.help ?? "This kind of section is not known here: edit it in the JSON tab.",
        ),
      ),
      context.readOnly ? null : outline.tools(path),
    );
    fill(el("ed-form"), kind ? buildForm(kind.fields, path, context) : null);
  });
  for (const area of document.querySelectorAll("#ed-form textarea"))
    fit(/** @type {HTMLTextAreaElement} */ (area));
  problems.mark();
}

// ---------------------------------------------------------------- preview

const pdf = new PdfView(el("ed-pdf"), { library: app.dataset.pdf, worker: app.dataset.pdfWorker });
const sheets = new SheetView(el("ed-xlsx"));
/** @type {string} */ let opened = "";

const preview = new Preview(data.urls.preview, store, {
  async onDocument(format, file, result) {
    const asSheet = result.sheets.length > 0;
    el("ed-pdf").hidden = asSheet;
    el("ed-xlsx").hidden = !asSheet;
    el("ed-zoom-fit").hidden = el("ed-zoom-in").hidden = el("ed-zoom-out").hidden = asSheet;
    URL.revokeObjectURL(opened);
    opened = URL.createObjectURL(
      new Blob([file.slice(0)], { type: format === "pdf" ? "application/pdf" : "application/octet-stream" }),
    );
    el("ed-open").href = opened;
    el("ed-open").hidden = false;
    if (format === "pdf") el("ed-open").removeAttribute("download");
    else el("ed-open").download = `${store.doc.name || "preview"}.${format}`;
    if (asSheet) {
      sheets.show(result.sheets);
      el("ed-pages").textContent = result.sheets.length === 1 ? "1 sheet" : `${result.sheets.length} sheets`;
    } else {
      try {
        const pages = await pdf.show(file);
        el("ed-pages").textContent = pages === 1 ? "1 page" : `${pages} pages`;
        showZoom();
      } catch (error) {
        if (/** @type {any} */ (error).name !== "PasswordException") throw error;
        pdf.clear();
        el("ed-pages").textContent = "Locked by its password";
      }
    }
  },
  onProblems: (list) => problems.show(list),
  onVariables(found) {
    store.variables = found;
    variables.found();
    samples.editor?.recheck();
    const missing = found.filter((variable) => variable.inferred).length;
    countOn("variables", missing);
    el("ed-tab-variables").title = missing ? `${missing} used, not declared` : "";
  },
  onState(state, note) {
    el("ed-state").dataset.state = state;
    if (state !== "busy") el("ed-state-text").textContent = note;
    el("ed-stage").classList.toggle("ed-stale", state === "stale" || state === "offline");
    app.dataset.previews = String(preview.count);
  },
});

/** @param {string} key @param {number} count */
function countOn(key, count) {
  const mark = /** @type {HTMLElement} */ (el(`ed-tab-${key}`).querySelector(".ed-count"));
  mark.hidden = count === 0;
  mark.textContent = String(count);
}

function drawFormats() {
  const name = uid("format");
  const known = store.doc.formats.filter((format) => data.formats.includes(format));
  if (!known.includes(preview.format)) preview.format = known[0] ?? "pdf";
  el("ed-formats").hidden = known.length < 2;
  fill(
    el("ed-formats"),
    known.map((format) => {
      const input = h("input", {
        type: "radio",
        name,
        id: uid("radio"),
        value: format,
        checked: format === preview.format,
        on: {
          change: () => {
            preview.format = format;
            preview.now();
          },
        },
      });
      return [input, h("label", { for: input.id }, format.toUpperCase())];
    }),
  );
}

function drawSampleChoice() {
  fill(
    el("ed-sample"),
    h("option", { value: "-1", selected: store.sample < 0 }, `${data.defaultSample} sample`),
    store.doc.samples.map((sample, index) =>
      h("option", { value: String(index), selected: store.sample === index }, sample.name),
    ),
  );
  el("ed-sample").parentElement.hidden = store.doc.samples.length === 0;
}

const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];
function showZoom() {
  el("ed-zoom-fit").textContent = `${pdf.percent()}%`;
}
/** @param {number} by */
function zoom(by) {
  if (!pdf.document) return;
  const now = pdf.percent() / 100;
  const next = by > 0 ? STEPS.find((step) => step > now + 0.01) : STEPS.findLast((step) => step < now - 0.01);
  pdf.setZoom(String(next ?? now));
  showZoom();
}
el("ed-zoom-in").addEventListener("click", () => zoom(1));
el("ed-zoom-out").addEventListener("click", () => zoom(-1));
el("ed-zoom-fit").addEventListener("click", () => {
  if (pdf.document) {
    pdf.setZoom("fit");
    showZoom();
  }
});
el("ed-sample").addEventListener("change", () => samples.choose(Number(el("ed-sample").value)));
new ResizeObserver(() => {
  if (pdf.document) showZoom();
}).observe(el("ed-pdf"));

// ---------------------------------------------------------------- the other tabs

const problems = new Problems(el("ed-problems"), store, { outline, kinds: data.kinds, go });
const variables = new Variables(el("ed-panel-variables"), context);
const samples = new Samples(
  el("ed-panel-samples"),
  context,
  { codemirror: app.dataset.codemirror, sample: data.urls.sample },
  () => {
    drawSampleChoice();
    preview.now();
  },
);
const page = new PageTab(el("ed-panel-page"), context, (path) => outline.select(path));
const json = new JsonTab(el("ed-panel-json"), context, app.dataset.codemirror);
/** @type {Record<string, () => void>} */
const draws = {
  sections: () => {
    for (const area of document.querySelectorAll("#ed-form textarea"))
      fit(/** @type {HTMLTextAreaElement} */ (area));
  },
  variables: () => {
    variables.draw();
    problems.mark();
  },
  samples: () => {
    samples.draw();
  },
  page: () => {
    page.draw();
    problems.mark();
  },
  json: () => {
    json.draw();
  },
};

/** Lead to the place of a problem. @param {(string|number)[]} path */
function go(path) {
  showOnly("edit");
  const section = sectionOf(store.doc, path);
  if (section) {
    if (!store.selected || !samePath(store.selected, section)) store.select(section);
    openTab("sections");
  } else if (path[0] === "data") openTab("samples");
  else
    openTab(
      { variables: "variables", page: "page", formats: "page", description: "page" }[String(path[0])] ??
        "json",
    );
  const field = fieldAt(path);
  field?.scrollIntoView({ block: "center" });
  const control = /** @type {HTMLElement|null} */ (
    path[0] === "name" ? el("ed-name") : field?.querySelector("input, textarea, select, button")
  );
  control?.focus();
}

/** Lead to a place that is written as text, with the sample that showed what is wrong there. @param {string} field @param {string} sample */
function goTo(field, sample) {
  if (sample) samples.choose(store.doc.samples.findIndex((each) => each.name === sample));
  go(parsePath(field));
}

// ---------------------------------------------------------------- saving

const saving = new Saving(context, data.urls, {
  onProblems: (list) => problems.show(list),
  onBusy: () => drawBar(),
  onGo: (finding) => goTo(finding.field, finding.sample),
  onSaved(state) {
    el("ed-status").textContent = state.template.status.replace(/^./, (/** @type {string} */ letter) =>
      letter.toUpperCase(),
    );
    el("ed-status").className = `badge ${state.template.status}`;
    el("ed-version").textContent = `Version ${state.template.version}`;
    if (state.template.status !== "draft") el("ed-publish")?.remove();
    drawBar();
  },
});

function drawBar() {
  if (context.readOnly) return;
  el("ed-undo").disabled = store.past.length === 0;
  el("ed-redo").disabled = store.future.length === 0;
  el("ed-save").disabled = !store.dirty || saving.busy;
  el("ed-save").textContent = saving.busy ? "Saving…" : "Save";
  el("ed-saved").textContent = store.dirty ? "Unsaved changes" : "";
  document.title = document.title.replace(/^(• )?/, store.dirty ? "• " : "");
}

store.subscribe((change) => {
  if (change.kind === "select") {
    drawForm();
    return;
  }
  if (change.kind !== "set") drawForm();
  if (change.kind === "reset" || ["samples"].includes(String(change.path[0]))) drawSampleChoice();
  if (change.kind === "reset" || change.path[0] === "formats") drawFormats();
  if (change.kind === "reset" && el("ed-name").value !== store.doc.name) el("ed-name").value = store.doc.name;
  drawBar();
  // What is edited beside the shown sample changes nothing on paper.
  const unseen =
    change.kind === "set" &&
    (change.path[0] === "description" || (change.path[0] === "samples" && change.path[1] !== store.sample));
  // An expression under the caret that is not closed is not finished: the preview waits for it.
  if (!unseen) setTimeout(() => (isChoosing() ? ((awaited = true), preview.hold()) : preview.soon()));
});
let awaited = false;
document.addEventListener("ed-written", () => {
  if (awaited) {
    awaited = false;
    preview.soon();
  }
});

el("ed-name").addEventListener("input", () => store.set(["name"], el("ed-name").value, el("ed-name")));
el("ed-undo")?.addEventListener("click", () => store.undo());
el("ed-redo")?.addEventListener("click", () => store.redo());
el("ed-save")?.addEventListener("click", () => saving.save());
el("ed-publish")?.addEventListener("click", () => saving.publish());

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "s") {
    event.preventDefault();
    saving.save();
  } else if ((key === "z" || key === "y") && !context.readOnly) {
    // A text under the caret has a history of its own.
    const inText = /** @type {HTMLElement} */ (event.composedPath()[0]).closest?.(
      "input[type=text], input[type=number], input[type=search], textarea, [contenteditable=true]",
    );
    if (inText) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) store.redo();
    else store.undo();
  }
});

// ---------------------------------------------------------------- begin

store.selected = get(store.doc, ["sections", 0]) ? ["sections", 0] : null;
outline.mark();
drawForm();
drawFormats();
drawSampleChoice();
drawBar();
saving.offerLeft(el("ed-notice"));
preview.now();
// Links to a place, such as those of the publish gate's page: #at=sections[2].content&sample=Long
const asked = new URLSearchParams(location.hash.slice(1));
if (asked.has("at")) goTo(String(asked.get("at")), asked.get("sample") ?? "");
app.dataset.ready = formatPath(store.selected ?? []);
