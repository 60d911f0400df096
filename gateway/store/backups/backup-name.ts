import type { BackupKind } from "../../contract/maintenance.ts";

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)-(\d{3})Z(?:-(automatic|before-restore|before-update))?$/;

/** The folder of a backup: when it was made, without what some file systems refuse in names, and why. */
export function backupName(at: number, kind: BackupKind): string {
  const time = new Date(at).toISOString().replaceAll(":", "").replace(".", "-");
  return kind === "manual" ? time : `${time}-${kind}`;
}

/** @returns null for what is no backup of ours, a copy that was not finished among it. */
export function readBackupName(name: string): { readonly at: number; readonly kind: BackupKind } | null {
  const [, day, hours, minutes, seconds, ms, kind] = NAME.exec(name) ?? [];
  if (day === undefined) return null;
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return Number.isNaN(at) ? null : { at, kind: (kind as BackupKind | undefined) ?? "manual" };
}
