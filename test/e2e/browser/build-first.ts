import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds what is stale before the first test: the fake control server serves the built pages as they are. */
export function setup(): void {
  execFileSync(process.execPath, ["main/build.mjs", "gateway", "renderer", "command"], {
    cwd: join(import.meta.dirname, "../../.."),
    stdio: ["ignore", "inherit", "inherit"],
    // The runner of the tests says "test", and pages built so carry React's slow checks of development.
    env: { ...process.env, NODE_ENV: "production" },
  });
}
