/** The editor's page: puts the parts together and leads from one to the other. */

import { isChoosing } from "./complete.js";
import { assets } from "./controls/assets.js";
import { basic } from "./controls/basic.js";
import { conditions } from "./controls/conditions.js";
import { lists } from "./controls/lists.js";
import { objects } from "./controls/objects.js";
import { fit, texts } from "./controls/text.js";
import { fill, h, selectWords, settle } from "./dom.js";
import { parse } from "./exactjson.js";
import { buildForm, keepFocus, register } from "./form.js";
import { JsonTab } from "./jsontab.js";
import { Outline } from "./outline.js";
import { PageTab } from "./pagetab.js";
import { formatPath, get, parsePath, samePath } from "./paths.js";
import { pickKind } from "./picker.js";
import { PreviewPane } from "./previewpane.js";
import { Problems, fieldAt } from "./problems.js";
import { Samples } from "./samples.js";
import { Saving, docOf } from "./save.js";
import { isBand, sectionOf } from "./sections.js";
import { Store } from "./store.js";
import { Variables } from "./variables.js";

/** @param {string} id @returns {any} */
const el = (id) => document.getElementById(id);
const app = el("ed-app");
const data = parse(el("ed-data").textContent);
const store = new Store(docOf(data));
store.variables = data.template.variables;
const context = { store, data, readOnly: !data.mayEdit };
register({ ...basic, ...texts, ...lists, ...conditions, ...objects, ...assets });

// ---------------------------------------------------------------- tabs

const tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-tab]")]);

/** @param {string} key @param {boolean} [focus] */
function openTab(key, focus = false) {
  settle();
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
  for (const button of document.querySelectorAll(".ed-switcher [data-show]"))
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.show === what));
}
for (const button of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll(".ed-switcher [data-show]")
))
  button.addEventListener("click", () => showOnly(String(button.dataset.show)));

// The bar of a phone has no room for Undo and Redo: they stand in the row below it.
const isPhone = matchMedia("(max-width: 520px)");
function placeHistory() {
  if (context.readOnly) return;
  const row = document.querySelector(isPhone.matches ? ".ed-switcher" : ".ed-actions");
  if (isPhone.matches) row?.append(el("ed-undo"), el("ed-redo"));
  else row?.prepend(el("ed-undo"), el("ed-redo"));
}
isPhone.addEventListener("change", placeHistory);
placeHistory();

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

// From the form back to its section; what is open, such as a list of names, takes the key first.
el("ed-inspector").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) outline.focusSelected();
});

function drawForm() {
  const path = store.selected;
  const section = path && store.at(path);
  if (!section || !path) {
    // Whoever has deleted the last section goes on where one is added.
    if (el("ed-inspector").contains(document.activeElement)) outline.focusAdd();
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
  fitTexts();
  problems.mark();
}

/** Give every text of the form the height that it takes. */
function fitTexts() {
  for (const area of /** @type {NodeListOf<HTMLTextAreaElement>} */ (document.querySelectorAll("#ed-form textarea")))
    fit(area);
}

// A turned phone or another zoom changes the lines of a text: none of them is to be cut.
let formWidth = 0;
new ResizeObserver(([{ contentRect }]) => {
  if (contentRect.width === formWidth) return;
  formWidth = contentRect.width;
  fitTexts();
}).observe(el("ed-form"));

// ---------------------------------------------------------------- preview

const pane = new PreviewPane(context, {
  url: data.urls.preview,
  library: app.dataset.pdf,
  worker: app.dataset.pdfWorker,
  label: (path) => kinds.get(store.at(path)?.type)?.label ?? "",
  choose: (path) => {
    if (sectionOf(store.doc, path)) {
      showOnly("edit");
      openTab("sections");
      outline.select(path);
      outline.button(path)?.scrollIntoView({ block: "nearest" });
    } else go(path);
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
  onData: () => samples.follow(),
  onSample: (index) => samples.choose(index),
  openSamples: () => {
    showOnly("edit");
    openTab("samples", true);
  },
});

/** @param {string} key @param {number} count */
function countOn(key, count) {
  const mark = /** @type {HTMLElement} */ (el(`ed-tab-${key}`).querySelector(".ed-count"));
  mark.hidden = count === 0;
  mark.textContent = String(count);
}

// ---------------------------------------------------------------- the other tabs

const problems = new Problems(el("ed-problems"), store, {
  outline,
  kinds: data.kinds,
  pageForm: data.pageForm,
  go,
});
const variables = new Variables(el("ed-panel-variables"), context);
const samples = new Samples(
  el("ed-panel-samples"),
  context,
  { codemirror: app.dataset.codemirror, sample: data.urls.sample },
  () => {
    pane.drawSamples();
    pane.preview.now();
  },
);
const page = new PageTab(el("ed-panel-page"), context, (path) => {
  outline.select(path);
  outline.focusSelected();
});
const json = new JsonTab(el("ed-panel-json"), context, app.dataset.codemirror);
/** @type {Record<string, () => void>} */
const draws = {
  sections: fitTexts,
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

/** Lead to the place of a problem, and select the words that it is about. @param {(string|number)[]} path @param {string} [words] */
function go(path, words) {
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
  if (path[0] === "variables") variables.showAll();
  const field = fieldAt(path);
  field?.scrollIntoView({ block: "center" });
  const control = /** @type {HTMLElement|null} */ (
    path[0] === "name" ? el("ed-name") : field?.querySelector("input, textarea, select, button")
  );
  // Without a field one goes on at the section, or in the part that is shown.
  const around = section ? outline.button(section) : document.querySelector(".ed-panel:not([hidden])");
  (control ?? /** @type {HTMLElement|null} */ (around))?.focus();
  if (words && control) selectWords(control, words);
}

/** Lead to a place that is written as text, with the sample that showed what is wrong there. @param {string} field @param {string} sample */
function goTo(field, sample) {
  if (sample) samples.choose(store.doc.samples.findIndex((each) => each.name === sample));
  go(parsePath(field));
}

// ---------------------------------------------------------------- saving

const saving = new Saving(context, data.urls, el("ed-notice"), {
  onProblems: (list) => problems.show(list),
  onBusy: () => drawBar(),
  onGo: (finding) => goTo(finding.field, finding.sample),
  isUnfinished,
  onSaved(state) {
    el("ed-status").textContent = state.template.status.replace(/^./, (/** @type {string} */ letter) =>
      letter.toUpperCase(),
    );
    el("ed-status").className = `badge ${state.template.status}`;
    el("ed-version").textContent = `Version ${state.template.version}`;
    el("ed-heading").textContent = `Template ${state.template.name}`;
    document.title = state.template.name + app.dataset.titleEnd; // drawBar marks what is unsaved
    if (state.template.status !== "draft" && el("ed-publish")) {
      if (document.activeElement === el("ed-publish")) el("ed-save").focus();
      el("ed-publish").remove();
    }
    drawBar();
    // Whatever kept it from being drawn, such as a log-in that had ended, is over.
    if (pane.isBehind) pane.preview.now();
  },
});

/**
 * Show whether a button does anything now. It is never `disabled`: that would take the focus from whoever pressed it.
 * @param {HTMLElement|null} button @param {boolean} usable
 */
function setUsable(button, usable) {
  button?.setAttribute("aria-disabled", String(!usable));
}

function drawBar() {
  if (context.readOnly) return;
  setUsable(el("ed-undo"), store.past.length > 0);
  setUsable(el("ed-redo"), store.future.length > 0);
  setUsable(el("ed-save"), store.dirty && !saving.busy);
  el("ed-save").textContent = saving.busy ? "Saving…" : "Save";
  setUsable(el("ed-publish"), !saving.busy);
  fill(el("ed-saved"), store.dirty ? ["Unsaved", h("span", { class: "ed-wide" }, " changes")] : null);
  document.title = document.title.replace(/^(• )?/, store.dirty ? "• " : "");
}

store.subscribe((change) => {
  if (change.kind === "select") {
    drawForm();
    pane.pointing.mark();
    pane.follow();
    return;
  }
  if (change.kind !== "set" || isBand(change.path)) drawForm();
  if (change.kind === "reset" || change.path[0] === "samples") pane.drawSamples();
  if (change.kind === "reset" || change.path[0] === "formats") pane.drawFormats();
  if (change.kind === "reset" && el("ed-name").value !== store.doc.name) el("ed-name").value = store.doc.name;
  drawBar();
  // What is edited beside the shown sample changes nothing on paper.
  const unseen =
    change.kind === "set" &&
    (change.path[0] === "description" ||
      (change.path[0] === "samples" && change.path.length > 1 && change.path[1] !== store.sample));
  // An expression under the caret that is not closed is not finished: the preview waits for it.
  if (!unseen) setTimeout(() => (isChoosing() ? ((awaited = true), pane.preview.hold()) : pane.preview.soon()));
});
let awaited = false;
document.addEventListener("ed-written", () => {
  if (awaited) {
    awaited = false;
    pane.preview.soon();
  }
});

el("ed-name").addEventListener("input", () => store.set(["name"], el("ed-name").value, el("ed-name")));
function undo() {
  settle();
  store.undo();
}

function redo() {
  settle();
  store.redo();
}

// A name that is cut is whole in its tooltip.
el("ed-name").addEventListener("pointerenter", () => {
  const name = el("ed-name");
  name.title = name.scrollWidth > name.clientWidth ? name.value : "";
});
el("ed-undo")?.addEventListener("click", undo);
el("ed-redo")?.addEventListener("click", redo);
el("ed-save")?.addEventListener("click", () => saving.save());
el("ed-publish")?.addEventListener("click", () => saving.publish());

/** Fields in which something was typed since they were drawn. @type {WeakSet<EventTarget>} */
const typed = new WeakSet();
document.addEventListener("input", (event) => event.target && typed.add(event.target));

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  const isBehind = document.querySelector("dialog:modal") !== null; // a dialog is answered first
  if (key === "s") {
    event.preventDefault();
    if (!isBehind) saving.save();
  } else if ((key === "z" || key === "y") && !context.readOnly && !isBehind) {
    // A text under the caret has a history of its own, once something was typed into it.
    const inText = /** @type {HTMLElement} */ (event.composedPath()[0]).closest?.(
      "input[type=text], input[type=number], input[type=search], textarea, [contenteditable=true]",
    );
    if (inText && (typed.has(inText) || inText.isContentEditable)) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  }
});

/** Tell whether there is JSON that cannot be used yet: it is in no document, so that nothing keeps it but this page. */
function isUnfinished() {
  return Boolean(samples.isUnfinished() || json.editor?.unfinished());
}
window.addEventListener("beforeunload", (event) => {
  if (isUnfinished()) event.preventDefault();
});

// ---------------------------------------------------------------- begin

el("ed-name").value = store.doc.name; // a browser that comes back to the page puts in what stood there when it was left
store.selected = get(store.doc, ["sections", 0]) ? ["sections", 0] : null;
outline.mark();
drawForm();
drawBar();
saving.offerKept();
pane.preview.now();
// Links to a place, such as those of the publish gate's page: #at=sections[2].content&sample=Long
const asked = new URLSearchParams(location.hash.slice(1));
if (asked.has("at")) goTo(String(asked.get("at")), asked.get("sample") ?? "");
app.dataset.ready = formatPath(store.selected ?? []);
