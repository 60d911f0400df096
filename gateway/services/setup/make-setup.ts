import type { EnvironmentConfig } from "../connections/environment.ts";
import { FollowFile } from "./follow-file.ts";
import type { FollowFileDeps } from "./follow-file.ts";
import { ManageSetup } from "./manage-setup.ts";
import type { ManageSetupDeps } from "./manage-setup.ts";

export type SetupParts = ManageSetupDeps & Omit<FollowFileDeps, "config" | "setup">;

/** @param config the file that every start applies; null: there is no file to follow */
export function makeSetup(parts: SetupParts, config: EnvironmentConfig | null) {
  const manageSetup = new ManageSetup(parts);
  const followFile = config === null ? null : new FollowFile({ ...parts, config, setup: manageSetup });
  return { manageSetup, followFile };
}
