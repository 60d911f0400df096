import type { ControlHandlers } from "../../contract/control.ts";
import type { importOperations } from "../../contract/import-operations.ts";
import type { SetupFile } from "../../contract/setup-operations.ts";
import type { setupOperations } from "../../contract/setup-operations.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ManageImports } from "../../services/imports/manage-imports.ts";
import type { ManageSetup, SetupWish } from "../../services/setup/manage-setup.ts";
import { readSetupFile, writeSetupFile } from "../../services/setup/setup-files.ts";

export interface SetupControlDeps {
  readonly setup: ManageSetup;
  readonly imports: ManageImports;
  /** Why provider keys cannot be decrypted on this start; null if they can. */
  readonly locked: () => string | null;
  /** URL of the JSON schema of configuration files, for editors. */
  readonly schemaUrl: () => string;
}

type Names = keyof typeof setupOperations | keyof typeof importOperations;

/** Whole set-ups: files, imports of other programs, and undoing them. */
export function setupHandlers({ setup, imports, locked, schemaUrl }: SetupControlDeps): Pick<ControlHandlers, Names> {
  const wishOf = async ({ prune = false, ...file }: SetupFile): Promise<SetupWish> => ({
    ...(await readSetupFile(file)),
    prune,
    partial: false,
  });
  return {
    exportSetup: async ({ passphrase = null }) => {
      const reason = locked();
      if (passphrase !== null && reason !== null) throw new GatewayError("storage_unavailable", reason);
      return { text: await writeSetupFile(setup.read(), passphrase, schemaUrl()) };
    },
    previewSetup: async (file) => setup.plan(await wishOf(file)),
    applySetup: async ({ token, test_keys, keep_refused, ...file }) =>
      setup.apply(await wishOf(file), { source: "file", token, test_keys, keep_refused }),
    listAppliedSetups: () => ({ data: [...setup.list()] }),
    planSetupUndo: (_input, id) => setup.planUndo(id),
    undoSetup: ({ token }, id) => setup.undo(id, token),
    forgetSetup: async (_input, id) => {
      await setup.forget(id);
      return { ok: true };
    },
    listImportPrograms: async () => ({ data: [...(await imports.list())] }),
    previewImport: (source) => imports.preview(source),
    applyImport: (input) => imports.apply(input),
  };
}
