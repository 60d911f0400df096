import { runHeadless } from "../../gateway/headless.ts";

/** What `npm start -- --headless` runs, for `ChildGateway`. */
await runHeadless(process.argv.slice(2), process.env);
