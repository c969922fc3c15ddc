/** A dialog of the editor: a title, what it shows, and the buttons at its foot. */

import { h, icon, uid } from "./dom.js";

/**
 * Show a dialog; it is gone once it is closed.
 * @param {string} title
 * @param {(close: () => void) => {body: any, foot?: any, class?: string, light?: boolean}} parts `light`: a press
 *   beside it closes it (app.js)
 * @returns {Promise<void>} when it is closed
 */
export function openDialog(title, parts) {
  const id = uid("ed-dialog");
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-labelledby": id }));
  const close = () => dialog.close();
  const { body, foot, class: more = "", light = false } = parts(close);
  if (light) dialog.dataset.light = "";
  dialog.className = `ed-dialog ${more}`.trim();
  dialog.append(
    h(
      "div",
      { class: "ed-dialog-head" },
      h("h2", { id }, title),
      h(
        "button",
        { type: "button", class: "ed-icon-button", "aria-label": "Close", on: { click: close } },
        icon("x"),
      ),
    ),
    ...[body].flat().filter(Boolean),
  );
  if (foot) dialog.append(h("div", { class: "ed-dialog-foot" }, foot));
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A button of a dialog's foot. @param {string} label @param {() => void} run @param {Record<string, any>} [props] */
export const footButton = (label, run, props = {}) =>
  h("button", { type: "button", class: "button", on: { click: run }, ...props }, label);
