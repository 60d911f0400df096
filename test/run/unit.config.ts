import { defineConfig } from "vitest/config";
import { isolatedFiles, unitFiles } from "./kinds.ts";
import { testSettings } from "./settings.ts";

/** The unit tests alone: `npm run test:unit`. */
const unit = unitFiles();
const isolated = isolatedFiles().filter((path) => unit.includes(path));

export default defineConfig({ test: testSettings(unit, isolated) });
