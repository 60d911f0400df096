import { createRequire } from "node:module";

/**
 * Starts @musistudio/llms, which is a library: `node llms-server.mjs FOLDER PORT CHAT-URL`, where FOLDER has it in its
 * node_modules. Its CommonJS build, because the ES one cannot be loaded ("Dynamic require … is not supported").
 */
const [folder, port, url] = process.argv.slice(2);
const { default: Server } = createRequire(`${folder}/package.json`)("@musistudio/llms");
const providers = [{ name: "mock", api_base_url: url, api_key: "sk-upstream", models: ["gpt-4o-mini"] }];
await new Server({ initialConfig: { providers, PORT: port, HOST: "127.0.0.1" }, logger: false }).start();
