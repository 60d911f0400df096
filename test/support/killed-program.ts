import { runHeadless } from "../../gateway/headless.ts";
import { KillPoints, type KillPoint } from "./kill-points.ts";

/**
 * A gateway in a process of its own that kills itself at a point of its work on the disk: at once where `KILL_POINT` says
 * when, or from SIGUSR2 on where `KILL_LATER` does.
 */
const points = new KillPoints();
points.install();
const pointOf = (name: string): KillPoint | null =>
  process.env[name] === undefined ? null : (JSON.parse(process.env[name]) as KillPoint);
points.set(pointOf("KILL_POINT"));
process.on("SIGUSR2", () => {
  points.set(pointOf("KILL_LATER"));
  process.stdout.write("armed\n");
});
await runHeadless(process.argv.slice(2), process.env);
