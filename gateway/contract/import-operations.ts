import * as z from "zod";
import { largeOperation, none, operation, type ControlOperation } from "./control-operation.ts";
import { importedFieldSchema, importerIdSchema } from "./imports.ts";
import { confirmationSchema, setupPlanSchema, setupResultSchema } from "./setup-operations.ts";

/**
 * Importing other programs' set-ups. An import only adds: existing records of the same name are unchanged. Applied
 * imports are listed and undone by `listAppliedSetups`, `planSetupUndo` and `undoSetup` (setup-operations.ts).
 */

export const importProgramSchema = z.object({
  id: importerIdSchema,
  /** The program's own name. */
  label: z.string(),
  /** Existing files of the program, as paths of the machine on which Postern runs. Empty: nothing was found. */
  files: z.array(z.string()),
  /** Id and time of the newest import of it that can be undone; null without one. */
  applied: z.object({ id: z.string(), at: z.number().int() }).nullable(),
});
export type ImportProgram = z.infer<typeof importProgramSchema>;

/** The source of an import: a program's usual places, a folder that the owner names, or a pasted text. */
const importSourceSchema = z.object({
  program: importerIdSchema,
  /** Absolute. */
  folder: z.string().min(1).max(4_000).optional(),
  /** Content of a file, or a link such as `ccswitch://…`: no other files are read then. */
  text: z.string().min(1).max(1_000_000).optional(),
  /** Other base URLs of connections, by the names that the preview gives them. */
  addresses: z.record(z.string().max(200), z.string().max(2_000)).optional(),
});
export type ImportSource = z.infer<typeof importSourceSchema>;

/** A provider key that was found. It is sent nowhere and saved nowhere before the owner takes it. */
export const importedKeySchema = z.object({
  /** Id for `take_keys`. */
  id: z.string(),
  /** Name of the connection that it would be a key of. */
  connection: z.string(),
  /** `sk-ab…wxyz`. */
  hint: z.string(),
  /** Postern has it already. */
  known: z.boolean(),
});
export type ImportedKey = z.infer<typeof importedKeySchema>;

export const importPreviewSchema = setupPlanSchema.extend({
  program: importerIdSchema,
  /** Paths of the files that were read. */
  files: z.array(z.string()),
  /** Every field that was found, with what becomes of it; secrets masked. */
  fields: z.array(importedFieldSchema),
  keys: z.array(importedKeySchema),
  /** The base URL that each connection would get. */
  addresses: z.array(z.object({ connection: z.string(), base_url: z.string() })),
});
export type ImportPreview = z.infer<typeof importPreviewSchema>;

export const importOperations = {
  /** All programs that can be imported, those that were found first. Nothing but names of files is looked at. */
  listImportPrograms: operation("GET", "/control/imports", none, z.object({ data: z.array(importProgramSchema) })),
  /** Reads the program's files, and says what would change if all keys were taken. Nothing is written. */
  previewImport: largeOperation("POST", "/control/imports/preview", importSourceSchema.strict(), importPreviewSchema),
  /** Applies a previewed import with the chosen keys, which are tested first. */
  applyImport: largeOperation(
    "POST",
    "/control/imports/apply",
    importSourceSchema
      .extend(confirmationSchema.shape)
      /** Ids of keys; `all`; empty for none, so that connections are created without keys. */
      /** Names of routes that may replace served names; a link's routes never may. */
      .extend({ take_over: z.array(z.string().max(200)).max(5_000).optional() })
      .extend({ take_keys: z.union([z.literal("all"), z.array(z.string().max(300)).max(5_000)]) })
      .strict(),
    setupResultSchema,
  ),
} as const satisfies Record<string, ControlOperation>;
