import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { normalizePath, parseAst, transformWithOxc } from "vite";

/**
 * Creates every schema of a bundle on first use, by `onDemand` (gateway/contract/on-demand.ts). A schema of twenty
 * fields costs a start a millisecond or two, there are two thousand, and a start with its first call needs few. The
 * sources have `const s = z.object(…)` and use `s`; the bundle has `const s = onDemand(() => z.object(…))` and `s()`.
 *
 * @typedef {{ at: number, text: string }} Insertion
 * @typedef {object} Module Facts about one source file.
 * @property {string} code JavaScript, without types.
 * @property {any} program Its syntax tree.
 * @property {Set<string>} waiting Names of its own variables that are made on demand.
 * @property {Set<string>} imported Names of such variables of other modules.
 * @property {Set<string>} makers Names of its functions that make schemas, and of those that it imports.
 */

/** A module that makes schemas. */
const MAKES_SCHEMAS = /^import \* as \w+ from "zod";$/m;
const ON_DEMAND = "gateway/contract/on-demand.ts";

/**
 * @param {string} top The project's folder.
 * @returns {import("vite").Plugin}
 */
export function schemasOnDemand(top) {
  /** @type {Map<string, Promise<Module | null>>} */
  const known = new Map();
  /** @param {string} file @returns {Promise<Module | null>} null for one that makes no schemas */
  const schemaModule = (file) => {
    let found = known.get(file);
    if (found === undefined) {
      const source = readFileSync(file, "utf8");
      found = MAKES_SCHEMAS.test(source) ? readModule(file, source, schemaModule) : Promise.resolve(null);
      known.set(file, found);
    }
    return found;
  };
  return {
    name: "postern:schemas-on-demand",
    enforce: "pre",
    async transform(source, id) {
      if (!id.endsWith(".ts") || id.includes("/node_modules/")) return null;
      const module = (await schemaModule(id)) ?? (await readModule(id, source, schemaModule));
      if (module.waiting.size + module.imported.size === 0) return null;
      return makeOnDemand(module, normalizePath(join(top, ON_DEMAND)));
    },
  };
}

/**
 * @param {string} file
 * @param {string} source TypeScript
 * @param {(file: string) => Promise<Module | null>} schemaModule
 * @returns {Promise<Module>}
 */
async function readModule(file, source, schemaModule) {
  const { code } = await transformWithOxc(source, file);
  const program = /** @type {any} */ (parseAst(code));
  /** @type {Module} */
  const module = { code, program, waiting: new Set(), imported: new Set(), makers: new Set() };
  for (const one of program.body) {
    if (one.type !== "ImportDeclaration") continue;
    const from = one.source.value;
    if (from === "zod") module.makers.add(one.specifiers[0].local.name);
    const made = from.endsWith(".ts") ? await schemaModule(join(dirname(file), from)) : null;
    for (const { type, local, imported } of made === null ? [] : one.specifiers) {
      if (type !== "ImportSpecifier") throw new Error(`${file}: import what is in ${from} by name`);
      if (made?.waiting.has(imported.name)) module.imported.add(local.name);
      if (made?.makers.has(imported.name)) module.makers.add(local.name);
    }
  }
  // A module that creates no schemas may use them at load time.
  if (MAKES_SCHEMAS.test(source)) for (const one of program.body) classify(one.declaration ?? one, module);
  return module;
}

/**
 * Adds a statement's declarations to the module's makers and on-demand variables. A maker may be declared below its
 * caller, and is still found, because it is called on first use.
 * @param {any} statement
 * @param {Module} module
 */
function classify(statement, module) {
  const { waiting, imported, makers } = module;
  /** @param {any} node @param {boolean} atOnce Count only what is used when the module is evaluated. */
  const makes = (node, atOnce) => {
    let found = false;
    visit(node, { later: false, hidden: new Set() }, ({ name }, later) => {
      if (atOnce && later) return;
      if (waiting.has(name) || imported.has(name) || makers.has(name)) found = true;
    });
    return found;
  };
  if (statement.type === "FunctionDeclaration" && makes(statement, false)) makers.add(statement.id.name);
  if (statement.type !== "VariableDeclaration" || statement.kind !== "const") return;
  for (const { id, init } of statement.declarations) {
    if (id.type !== "Identifier") continue;
    if (makes(init, true)) waiting.add(id.name);
    else if (makes(init, false)) makers.add(id.name);
  }
}

/**
 * @param {Pick<Module, "code" | "program" | "waiting" | "imported">} module
 * @param {string} helper Where `onDemand` is.
 * @returns {string} The module with its schemas made on demand.
 */
export function makeOnDemand({ code, program, waiting, imported }, helper) {
  /** @type {Insertion[]} */
  const insertions = [];
  if (waiting.size > 0)
    insertions.push({ at: 0, text: `import { onDemand as $onDemand } from ${JSON.stringify(helper)};` });
  visit(program, { later: false, hidden: new Set() }, ({ name, end }, _later, shorthand) => {
    if (waiting.has(name) || imported.has(name)) insertions.push({ at: end, text: shorthand ? `: ${name}()` : "()" });
  });
  for (const one of program.body) {
    const statement = one.declaration ?? one;
    for (const { id, init } of statement.type === "VariableDeclaration" ? statement.declarations : []) {
      if (!waiting.has(id.name)) continue;
      insertions.push({ at: init.start, text: "$onDemand(() => (" }, { at: init.end, text: "))" });
    }
  }
  let result = "";
  let from = 0;
  // Sorted by discovery order at equal positions: a name's brackets before those around it.
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    result += code.slice(from, at) + text;
    from = at;
  }
  return result + code.slice(from);
}

/**
 * Walks a syntax tree and reports each use of a variable of the module.
 * @typedef {{ readonly later: boolean, readonly hidden: ReadonlySet<string> }} Scope Whether it is within a function,
 * which runs later; and names that are shadowed here.
 * @typedef {(node: { name: string, end: number }, later: boolean, shorthand: boolean) => void} Tell
 *
 * @param {any} node
 * @param {Scope} scope
 * @param {Tell} tell
 * @returns {void}
 */
function visit(node, scope, tell) {
  switch (node?.type) {
    case undefined:
    case "ImportDeclaration":
    case "ExportSpecifier":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
      return;
    case "Identifier":
      if (!scope.hidden.has(node.name)) tell(node, scope.later, false);
      return;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression": {
      const own = [
        ...node.params.flatMap(listNames),
        ...(node.type === "FunctionExpression" ? listNames(node.id) : []),
      ];
      const within = { later: true, hidden: new Set([...scope.hidden, ...own]) };
      for (const param of node.params) visitPattern(param, within, tell);
      visit(node.body, within, tell);
      return;
    }
    case "BlockStatement":
    case "StaticBlock":
      return visitAll(node.body, scope, tell);
    case "SwitchStatement":
      visit(node.discriminant, scope, tell);
      return visitAll(
        node.cases.flatMap((/** @type {any} */ { test, consequent }) => [test, ...consequent]),
        scope,
        tell,
      );
    case "ForStatement":
      return visitAll([node.init, node.test, node.update, node.body], scope, tell);
    case "ForInStatement":
    case "ForOfStatement":
      return visitAll([node.left, node.right, node.body], scope, tell);
    case "CatchClause":
      return visit(node.body, { ...scope, hidden: new Set([...scope.hidden, ...listNames(node.param)]) }, tell);
    case "VariableDeclarator":
      visitPattern(node.id, scope, tell);
      return visit(node.init, scope, tell);
    case "ClassDeclaration":
    case "ClassExpression":
      visit(node.superClass, scope, tell);
      return visit(node.body, scope, tell);
    case "MethodDefinition":
    case "PropertyDefinition":
      if (node.computed) visit(node.key, scope, tell);
      // A field of an object is set when one is made.
      return visit(node.value, { ...scope, later: scope.later || !node.static }, tell);
    case "MemberExpression":
      visit(node.object, scope, tell);
      if (node.computed) visit(node.property, scope, tell);
      return;
    case "Property":
      if (node.computed) visit(node.key, scope, tell);
      if (!node.shorthand) visit(node.value, scope, tell);
      else if (!scope.hidden.has(node.value.name)) tell(node.value, scope.later, true);
      return;
    case "LabeledStatement":
      return visit(node.body, scope, tell);
    default:
      for (const part of Object.values(node))
        for (const one of Array.isArray(part) ? part : [part])
          if (typeof one?.type === "string") visit(one, scope, tell);
  }
}

/**
 * Visits the statements of a block, whose declarations shadow outer names.
 * @param {any[]} nodes
 * @param {Scope} scope
 * @param {Tell} tell
 */
function visitAll(nodes, scope, tell) {
  const own = nodes.flatMap((one) => {
    if (one?.type === "VariableDeclaration")
      return one.declarations.flatMap((/** @type {any} */ { id }) => listNames(id));
    return /^(?:Function|Class)Declaration$/.test(one?.type) ? listNames(one.id) : [];
  });
  const within = own.length === 0 ? scope : { ...scope, hidden: new Set([...scope.hidden, ...own]) };
  for (const one of nodes) visit(one, within, tell);
}

/** Visits the parts of a pattern besides its declared names. @type {(node: any, scope: Scope, tell: Tell) => void} */
function visitPattern(node, scope, tell) {
  if (node?.type === "AssignmentPattern") {
    visitPattern(node.left, scope, tell);
    visit(node.right, scope, tell);
  } else if (node?.type === "ArrayPattern") for (const one of node.elements) visitPattern(one, scope, tell);
  else if (node?.type === "ObjectPattern")
    for (const one of node.properties) {
      if (one.computed) visit(one.key, scope, tell);
      visitPattern(one.value, scope, tell);
    }
}

/** The names that a pattern declares. @param {any} node @returns {string[]} */
function listNames(node) {
  switch (node?.type) {
    case "Identifier":
      return [node.name];
    case "AssignmentPattern":
      return listNames(node.left);
    case "RestElement":
      return listNames(node.argument);
    case "ArrayPattern":
      return node.elements.flatMap(listNames);
    case "ObjectPattern":
      return node.properties.flatMap((/** @type {any} */ one) => listNames(one.value ?? one.argument));
    default:
      return [];
  }
}
