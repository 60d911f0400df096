import { importerIdSchema } from "../../../gateway/contract/imports.ts";
import type { ImporterId } from "../../../gateway/contract/imports.ts";
import type { ImportPreview } from "../../../gateway/contract/import-operations.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../command-errors.ts";
import { changesText, conflictsText, fieldsText, paragraphs, readsText, resultText } from "../setup-text.ts";
import { table, timeLabel } from "../table.ts";

const yes = { value: null, about: "do it; without this it is only shown" } as const;
const isLink = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

function readProgram(name: string): ImporterId {
  const parsed = importerIdSchema.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new UsageError(`There is no program "${name}" to import. There are: ${importerIdSchema.options.join(", ")}.`);
}

function previewText({ files, fields, changes, conflicts, reads, keys }: ImportPreview): string {
  const fresh = keys.filter(({ known }) => !known).length;
  return paragraphs(
    `Read: ${files.join(", ")}`,
    fieldsText(fields),
    changes.length === 0 ? "Nothing of it is new here." : changesText(changes),
    readsText(reads),
    conflictsText(conflicts),
    fresh === 0 ? "" : `${fresh} ${fresh === 1 ? "key" : "keys"} would be tested and saved; --no-keys leaves them out.`,
  );
}

export const importProgram: Command = {
  name: "import",
  about: "take over another program's providers, routes and keys; without PROGRAM, which were found",
  takesMore: "[PROGRAM]",
  options: {
    from: { value: "FOLDER|LINK", about: "the folder of its files, or a link such as ccswitch://…" },
    address: { value: "NAME=URL", about: "another base URL for a connection; several with commas between" },
    yes,
    "take-over": { value: "NAMES", about: "routes that take over names which are served now, with commas between" },
    "no-keys": { value: null, about: "take no provider keys over" },
    "no-test": { value: null, about: "do not ask providers whether they take their keys" },
    "keep-refused": { value: null, about: "save keys that their provider refuses, too" },
  },
  async run({ control, resolve }, values) {
    if (values.more.length > 0) throw new UsageError("Name one PROGRAM.");
    if (values.id === "") {
      const view = await control.call("listImportPrograms");
      const rows = view.data.map(({ id, label, files, applied }) => [
        id,
        label,
        applied === null ? "" : timeLabel(applied.at),
        files.join(", "),
      ]);
      return { json: view, text: table(["ID", "PROGRAM", "IMPORTED", "FILES"], rows) };
    }
    const from = values.text("from");
    const addresses = Object.fromEntries(
      (values.text("address")?.split(",") ?? []).map((pair) => {
        const [name = "", ...url] = pair.split("=");
        if (url.length === 0) throw new UsageError("--address needs NAME=URL.");
        return [name.trim(), url.join("=").trim()];
      }),
    );
    const source = {
      program: readProgram(values.id),
      ...(values.has("address") && { addresses }),
      ...(from !== undefined && (isLink(from) ? { text: from } : { folder: resolve(from) })),
    };
    const preview = await control.call("previewImport", source);
    const shown = previewText(preview);
    const takeOver =
      values
        .text("take-over")
        ?.split(",")
        .map((name) => name.trim()) ?? [];
    if (preview.changes.length === 0 && takeOver.length === 0) return { json: { preview, result: null }, text: shown };
    if (!values.has("yes")) return { json: preview, text: `${shown}\n\nNothing is changed yet. Add --yes to do it.` };
    const result = await control.call("applyImport", {
      ...source,
      token: preview.token,
      take_keys: values.has("no-keys") ? [] : "all",
      test_keys: !values.has("no-test"),
      keep_refused: values.has("keep-refused"),
      take_over: takeOver,
    });
    return {
      json: { preview, result },
      text: paragraphs(changesText(result.changes), conflictsText(result.conflicts), resultText(result)),
    };
  },
};

export const undoImport: Command = {
  name: "import undo",
  about: "put back what an import or a configuration file has changed, the newest unless ID says which",
  takesMore: "[ID]",
  options: { yes },
  async run({ control }, values) {
    const { data } = await control.call("listAppliedSetups");
    const id = values.id === "" ? data[0]?.id : values.id;
    if (id === undefined) return { json: { undone: null }, text: "There is nothing to undo." };
    const plan = await control.call("planSetupUndo", {}, id);
    const left = plan.left.map(
      ({ kind, name }) => `! ${kind.replaceAll("_", " ")} "${name}" was changed since and stays`,
    );
    const others = data.filter((one) => one.id !== id);
    const also =
      values.id === "" && others.length > 0
        ? `Earlier ones: ${others.map((one) => `${one.id} (${one.source})`).join(", ")}`
        : "";
    const shown = paragraphs(changesText(plan.changes), left.join("\n"), also);
    if (!values.has("yes")) return { json: plan, text: `${shown}\n\nNothing is changed yet. Add --yes to do it.` };
    await control.call("undoSetup", { token: plan.token }, id);
    return { json: plan, text: `${shown}\n\nUndone.` };
  },
};
