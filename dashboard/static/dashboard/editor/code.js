/**
 * JSON in CodeMirror: syntax, folding, search, and what does not fit marked in place.
 *
 * The editor lives in a shadow root: there its styles are constructed sheets, which a strict
 * Content-Security-Policy allows; in the page itself they would be inline.
 */

import { debounce, fill, h } from "./dom.js";
import { parse } from "./exactjson.js";
import { equal } from "./paths.js";

/** @typedef {{path: (string|number)[], message: string}} Flaw */

/** @type {Promise<any>|null} */ let loading = null;

/**
 * @param {{url: string, label: string, text: string, readOnly?: boolean, onText: (text: string) => void, check?: (value: any) => Flaw[],
 *   refuse?: (value: any) => string}} options `refuse` says why the page cannot use a value at all, or nothing
 * @returns {Promise<{element: HTMLElement, note: HTMLElement, agree: (text: string) => void, set: (text: string, isOther?: boolean, typed?: string) => void, text: () => string, unfinished: () => string, recheck: () => void, focus: () => void}>}
 */
export async function codeEditor(options) {
  const cm = await (loading ??= import(options.url));
  const element = h("div", { class: "ed-codemirror" });
  const root = element.attachShadow({ mode: "open" });
  const note = h("p", { class: "ed-error", role: "status", hidden: true });
  const replacedNote = h("div", { class: "callout warn", role: "status", hidden: true });
  let replaced = ""; // what was typed and could not be used yet when the page had something new
  const look = () => {
    const reason = unused(cm, view.state, options);
    note.hidden = !reason;
    note.textContent = reason && `Not used yet: ${reason}. Until then what was right before counts.`;
  };
  const settle = (/** @type {string} */ text) => {
    if (text) view.setState(stateOf(text));
    replaced = "";
    tellReplaced();
    look();
    view.focus();
  };
  const tellReplaced = () => {
    replacedNote.hidden = !replaced;
    const button = (/** @type {string} */ label, /** @type {() => void} */ run) =>
      h("button", { type: "button", class: "button small", on: { click: run } }, label);
    fill(
      replacedNote,
      h(
        "div",
        {},
        h(
          "p",
          {},
          h("strong", {}, "What you typed here is put aside."),
          " It could not be used yet when this was changed elsewhere. Brought back and corrected, it takes the place of that change.",
        ),
        h(
          "div",
          { class: "ed-tools" },
          button("Bring it back", () => settle(replaced)),
          button("Discard it", () => settle("")),
        ),
      ),
    );
  };
  const soon = debounce(look, 250);
  let agreed = options.text; // what the page has, as it would write it
  const stateOf = (/** @type {string} */ text) =>
    cm.EditorState.create({
      doc: text,
      extensions: [
        cm.lineNumbers(),
        cm.foldGutter(),
        cm.history(),
        cm.highlightSpecialChars(),
        cm.drawSelection(),
        cm.indentOnInput(),
        cm.bracketMatching(),
        cm.closeBrackets(),
        cm.highlightActiveLine(),
        cm.highlightActiveLineGutter(),
        cm.highlightSelectionMatches(),
        cm.indentUnit.of("  "),
        cm.json(),
        cm.syntaxHighlighting(colors(cm)),
        theme(cm),
        cm.EditorView.lineWrapping,
        cm.lintGutter(),
        cm.linter((/** @type {any} */ view) => flaws(cm, view, options.check), { delay: 250 }),
        cm.keymap.of([
          ...cm.closeBracketsKeymap,
          ...cm.defaultKeymap,
          ...cm.searchKeymap,
          ...cm.historyKeymap,
          ...cm.foldKeymap,
          ...cm.lintKeymap,
        ]),
        cm.EditorState.readOnly.of(Boolean(options.readOnly)),
        cm.EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        cm.EditorView.updateListener.of((/** @type {any} */ update) => {
          if (!update.docChanged) return;
          options.onText(view.state.doc.toString());
          soon();
        }),
      ],
    });
  const view = new cm.EditorView({ root, parent: root, state: stateOf(options.text) });
  return {
    element,
    // Says what keeps a text from being used, or what was put aside; it stands where the page puts it.
    note: h("div", {}, note, replacedNote),
    // The page has taken a text; this is how it would write it.
    agree: (text) => {
      agreed = text;
    },
    // What the page puts here was not typed: its history begins anew, or Ctrl+Z would write the one text into
    // the place of the other. `isOther`: it is of another place, even if it reads the same.
    // A text that is not right yet is work as well: it stays while the page has nothing new, is put aside when it has,
    // and `typed` is one that was left in this other place.
    set: (text, isOther = false, typed = text) => {
      const before = view.state.doc.toString();
      const isUnfinished = Boolean(unused(cm, view.state, options));
      if (isOther || (before !== text && !(isUnfinished && equal(parse(text), parse(agreed))))) {
        if (isOther) replaced = "";
        else if (isUnfinished) replaced = before;
        view.setState(stateOf(typed));
        tellReplaced();
      }
      agreed = text;
      look();
    },
    text: () => view.state.doc.toString(),
    // What cannot be used yet, here or put aside; no document has it.
    unfinished: () => (unused(cm, view.state, options) ? view.state.doc.toString() : replaced),
    // A change of nothing makes the linter look again.
    recheck: () => view.dispatch(cm.setDiagnostics(view.state, flaws(cm, view, options.check))),
    focus: () => view.focus(),
  };
}

/**
 * Say why the page cannot use what is written, or nothing.
 * @param {any} cm @param {any} state @param {{refuse?: (value: any) => string}} options @returns {string}
 */
function unused(cm, state, options) {
  if (!options.refuse) return "";
  let value;
  try {
    value = parse(state.doc.toString().trim() || "{}");
  } catch (error) {
    return `line ${state.doc.lineAt(brokenAt(cm, state, /** @type {Error} */ (error))).number} is not valid JSON`;
  }
  return options.refuse(value);
}

/**
 * Where a text stops being JSON. Browsers tell it of some errors only, so the tree of the text is asked as well.
 * @param {any} cm @param {any} state @param {{message: string}} error of the parser @returns {number}
 */
function brokenAt(cm, state, error) {
  const told = /at position (\d+)/.exec(error.message);
  if (told) return Math.min(Number(told[1]), state.doc.length);
  let found = -1;
  cm.syntaxTree(state).iterate({
    enter: (/** @type {any} */ node) => {
      if (found < 0 && node.type.isError) found = node.from;
    },
  });
  return found < 0 ? state.doc.length : found;
}

/** @param {any} cm @param {any} view @param {((value: any) => Flaw[])|undefined} check */
function flaws(cm, view, check) {
  const [broken] = view.state.doc.length ? cm.jsonParseLinter()(view) : [];
  if (broken) {
    const from = brokenAt(cm, view.state, broken);
    return [{ ...broken, from, to: Math.min(from + 1, view.state.doc.length) }];
  }
  if (!check) return [];
  let value;
  try {
    value = parse(view.state.doc.toString());
  } catch {
    return [];
  }
  return check(value)
    .slice(0, 200)
    .map((flaw) => ({ ...rangeOf(cm, view, flaw.path), severity: "error", message: flaw.message }));
}

/** Where the value of a path stands in the text. @param {any} cm @param {any} view @param {(string|number)[]} path */
function rangeOf(cm, view, path) {
  let node = cm.syntaxTree(view.state).topNode.firstChild;
  for (const part of path) {
    let next = null;
    let index = 0;
    for (let child = node?.firstChild; child; child = child.nextSibling) {
      if (typeof part === "number" && !/[[\]⚠]/.test(child.name)) {
        if (index === part) {
          next = child;
          break;
        }
        index += 1;
      } else if (child.name === "Property") {
        const name = child.firstChild;
        if (name && view.state.sliceDoc(name.from + 1, name.to - 1) === part) {
          next = child.lastChild;
          break;
        }
      }
    }
    if (!next) break;
    node = next;
  }
  const from = node?.from ?? 0;
  const to = node?.to ?? 0;
  return { from, to: to - from > 200 ? from + 1 : to };
}

/** @param {any} cm */
function colors(cm) {
  const { tags } = cm;
  return cm.HighlightStyle.define([
    { tag: tags.propertyName, color: "var(--code-name)" },
    { tag: tags.string, color: "var(--code-string)" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--code-value)" },
  ]);
}

/** @param {any} cm */
function theme(cm) {
  return cm.EditorView.theme({
    "&": {
      color: "var(--text)",
      backgroundColor: "var(--surface)",
      fontSize: "13px",
      height: "100%",
      border: "1px solid var(--border-control)",
      borderRadius: "var(--r2)",
    },
    "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-1px" },
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
    ".cm-content": { caretColor: "var(--text)" },
    ".cm-cursor": { borderLeftColor: "var(--text)" },
    ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--text-faint)", border: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      backgroundColor: "var(--selection)",
    },
    ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)" },
    ".cm-tooltip": {
      backgroundColor: "var(--raised)",
      color: "var(--text)",
      border: "1px solid var(--border-control)",
    },
    ".cm-foldPlaceholder": { backgroundColor: "var(--sunken)", color: "var(--text-faint)", border: "none" },
    ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
    ".cm-selectionMatch": { backgroundColor: "var(--hover)" },
    ".cm-textfield": { backgroundColor: "var(--surface)", color: "var(--text)" },
    ".cm-button": { backgroundImage: "none", backgroundColor: "var(--raised)", color: "var(--text)" },
  });
}
