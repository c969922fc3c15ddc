/** Controls of assets: typefaces, and images that may also be embedded. */

import { complete } from "../complete.js";
import { h, icon, toast } from "../dom.js";
import { put, valueOf, write } from "../form.js";
import { expressionSource } from "../offers.js";

/** @typedef {import("../form.js").Control} Control */

/** @param {any} context @returns {{id: string, name: string}[]} */
export const fontsOf = (context) => context.data.assets.filter((/** @type {any} */ asset) => asset.kind === "font");

/** @type {Control} */
function font(field, path, context) {
  const fonts = fontsOf(context);
  const value = valueOf(field, path, context) ?? "";
  const input = h(
    "select",
    {
      class: "ed-input ed-select",
      disabled: context.readOnly,
      on: { change: () => write(field, path, context, input.value, input) },
    },
    h("option", { value: "" }, fonts.length ? "–" : "No fonts among the assets"),
    value && !fonts.some((each) => each.id === value) ? h("option", { value, selected: true }, value) : null,
    fonts.map((each) => h("option", { value: each.id, selected: each.id === value }, each.name)),
  );
  return { element: input, input };
}

/** An asset, an expression that gives an image, or a file that becomes part of the template. @type {Control} */
function image(field, path, context) {
  const images = context.data.assets.filter((/** @type {any} */ asset) => asset.kind === "image");
  const input = h("input", {
    type: "text",
    class: "ed-input",
    placeholder: "{{logo}}",
    spellcheck: "false",
    on: {
      input: () => {
        write(field, path, context, input.value, input);
        tellName();
      },
      change: () => show(), // an image that was pasted as text
    },
  });
  const removal = h(
    "button",
    {
      type: "button",
      class: "ed-icon-button",
      "aria-label": `${field.label}: remove the embedded image`,
      title: "Remove the embedded image",
      on: {
        click: () => {
          put(context, path, field.required ? "" : undefined, input);
          show();
          input.focus();
        },
      },
    },
    icon("x"),
  );
  // An image that is embedded is none to be written at: it stays until it is removed.
  const show = () => {
    const value = valueOf(field, path, context) ?? "";
    const isEmbedded = /^\s*data:/.test(value);
    input.value = isEmbedded ? "Embedded image" : value;
    input.readOnly = isEmbedded || context.readOnly;
    input.classList.toggle("ed-embedded", isEmbedded);
    removal.hidden = !isEmbedded || context.readOnly;
    tellName();
  };
  const name = h("p", { class: "ed-help" });
  const tellName = () => {
    const named = images.find((/** @type {any} */ asset) => asset.id === valueOf(field, path, context));
    name.hidden = !named;
    name.textContent = named ? `Asset: ${named.name}` : "";
  };
  show();
  const expressions = expressionSource(context, () => path, Boolean(field.row));
  complete(
    input,
    (text, caret, forced) => {
      const found = expressions(text, caret, false);
      if (found) return found;
      if (!forced && text.startsWith("{{")) return null;
      const named = images.filter(
        (/** @type {any} */ asset) =>
          forced || !text || asset.name.toLowerCase().includes(text.toLowerCase()),
      );
      return {
        from: 0,
        to: text.length,
        options: named.map((/** @type {any} */ asset) => ({
          label: asset.name,
          note: "asset",
          insert: asset.id,
        })),
      };
    },
    { always: true },
  );
  const file = h("input", {
    type: "file",
    accept: "image/png,image/jpeg,image/webp,image/svg+xml",
    class: "ed-hidden-file",
    tabindex: -1,
    "aria-hidden": "true",
    on: {
      change: async () => {
        const chosen = file.files?.[0];
        file.value = ""; // so that the same file can be chosen again
        if (!chosen) return;
        if (chosen.size > 3_000_000) {
          toast("The image is larger than 3 MB: upload it as an asset.");
          return;
        }
        const reader = new FileReader();
        reader.addEventListener("load", () => {
          put(context, path, String(reader.result), input);
          show();
        });
        reader.readAsDataURL(chosen);
      },
    },
  });
  const button = context.readOnly
    ? null
    : h(
        "button",
        {
          type: "button",
          class: "ed-icon-button",
          "aria-label": `${field.label}: embed a file`,
          title: "Embed a file",
          on: { click: () => file.click() },
        },
        icon("upload"),
      );
  return {
    element: h(
      "div",
      {},
      h("div", { class: "ed-image" }, input, removal, button, file),
      name,
    ),
    input,
  };
}

export const assets = { font, image };
