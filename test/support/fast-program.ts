import { flushCompileCache } from "node:module";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createGateway } from "../../gateway/index.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import type { FastStart, FastOrder, FastResponse } from "./fast-child.ts";
import { FastTime } from "./fast-time.ts";
import { KillPoints } from "./kill-points.ts";

/** A gateway in a process of its own whose time runs faster: started by `FastChild`, which tells it what to do. */

const start = JSON.parse(process.argv[2] ?? "") as FastStart;
const time = new FastTime(start.speed, start.since);
const points = new KillPoints();
points.install();
points.set(start.kill);
process.on("disconnect", () => process.exit(1));

const gateway = await createGateway({
  dataDir: start.dataDir,
  host: "127.0.0.1",
  port: 0,
  env: start.env,
  sealer: fileSealer(),
  assetsDir: null,
  version: "0.0.0-test",
  clock: time,
  uptime: () => time.monotonic(),
  ...(start.speed === 1 ? {} : { later: time.later }),
  ...(start.drainMs === undefined ? {} : { drainMs: start.drainMs }),
  log: silentLog,
});
const tell = (response: FastResponse): void => void process.send?.(response);
const loop = monitorEventLoopDelay({ resolution: 5 });

process.on("message", (order: FastOrder) => {
  switch (order.do) {
    case "kill":
      points.set(order.point);
      break;
    case "jump":
      time.jump(order.ms);
      break;
    case "resumed":
      gateway.onResume();
      break;
    case "token":
      return tell({ of: "token", token: gateway.issuePageToken() });
    case "measure":
      loop.reset();
      loop.enable();
      break;
    case "measured": {
      const { user, system } = process.cpuUsage();
      return tell({ of: "measured", cpuMs: (user + system) / 1_000, delayP99: loop.percentile(99) / 1e6 });
    }
    case "close":
      void gateway.close().then(() => {
        // From here on nothing of ours keeps the process: it ends when nothing of the gateway does either.
        process.removeAllListeners("disconnect");
        process.send?.({ of: "closed" } satisfies FastResponse, () => process.disconnect());
        return undefined;
      });
      return;
    case "stop":
      void gateway.close().then(() => process.exit(0));
      return;
  }
  tell({ of: "done" });
});
// It may not live to its end, when Node would write it by itself.
flushCompileCache();
process.send?.({ of: "ready", url: gateway.url } satisfies FastResponse);
