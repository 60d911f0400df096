import * as z from "zod";

/** Backups, the data folder and diagnostics, as the Settings page shows them. */

const count = z.number().int().nonnegative();

/** Why a copy was made: by hand, by the day, because another one was restored, or before a new version changed its layout. */
export const backupKindSchema = z.enum(["manual", "automatic", "before-restore", "before-update"]);
export type BackupKind = z.infer<typeof backupKindSchema>;

export const backupSchema = z.object({
  /** Name of its folder below `backups`, for `restore`. */
  name: z.string(),
  at: count,
  bytes: count,
  kind: backupKindSchema,
  /** Whether any reader of it can open the provider keys: no keychain encrypted what decrypts them. */
  opens_keys: z.boolean(),
});
export type Backup = z.infer<typeof backupSchema>;

/** A manually created backup. */
export const madeBackupSchema = z.object({
  path: z.string(),
  ...backupSchema.pick({ bytes: true, opens_keys: true }).shape,
});
export type MadeBackup = z.infer<typeof madeBackupSchema>;

export const backupsViewSchema = z.object({
  /** Newest first. */
  data: z.array(backupSchema),
  /** Backup that the next start restores; null for none. */
  pending: z.string().nullable(),
});
export type BackupsView = z.infer<typeof backupsViewSchema>;

export const keyProtectionSchema = z.object({
  /**
   * Protections of the key that encrypts the provider keys, newest first: `file` for an unencrypted key file, else a
   * keychain's name. Empty before the first provider key.
   */
  encrypted_by: z.array(z.string()),
  /** The current keychain; null if none responds, and without the desktop app. */
  keychain: z.string().nullable(),
  /** Whether something lies in the key file that the keychain could take. */
  can_move: z.boolean(),
  /** Why some provider keys cannot be opened on this start; null when all can. */
  locked: z.string().nullable(),
});
export type KeyProtectionView = z.infer<typeof keyProtectionSchema>;

/** Parts of the data folder. `other` is foreign files, and files that Postern needs only while it runs. */
export const folderPartSchema = z.enum([
  "state",
  "journal",
  "usage",
  "history",
  "tasks",
  "media",
  "secrets",
  "recordings",
  "backups",
  "quarantine",
  "desktop",
  "other",
]);
export type FolderPart = z.infer<typeof folderPartSchema>;

export const dataFolderViewSchema = z.object({
  path: z.string(),
  bytes: count,
  files: count,
  parts: z.array(z.object({ part: folderPartSchema, bytes: count, files: count })),
});
export type DataFolderView = z.infer<typeof dataFolderViewSchema>;
