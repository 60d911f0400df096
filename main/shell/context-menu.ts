import { Menu, type WebContents } from "electron";
import { createContextMenu, type ContextItem } from "../policy/menu-model.ts";
import type { Words } from "../policy/words.ts";

const makeTemplate = (item: ContextItem) =>
  item.kind === "separator"
    ? ({ type: "separator" } as const)
    : { role: item.role, label: item.label, enabled: item.enabled };

/** Adds the usual context menu to text fields and selected text, which Electron lacks. */
export function offerContextMenu(contents: WebContents, words: Words): void {
  contents.on("context-menu", (_event, { isEditable, editFlags, selectionText }) => {
    const can = {
      undo: editFlags.canUndo,
      redo: editFlags.canRedo,
      cut: editFlags.canCut,
      copy: editFlags.canCopy,
      paste: editFlags.canPaste,
      selectAll: editFlags.canSelectAll,
    };
    const items = createContextMenu({ isEditable, can, hasSelection: selectionText.trim() !== "" }, words);
    if (items.length > 0) Menu.buildFromTemplate(items.map(makeTemplate)).popup();
  });
}
