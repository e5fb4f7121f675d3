// Reads JavaScript sources: where each mutant is, and a copy of the source that reports each statement it runs.
//   node javascript_source.mjs mutants FILE...             a line of JSON for each mutant
//   node javascript_source.mjs instrument FILE HITS FIRST  the copy, with the statements numbered from FIRST, as JSON
// The parser is acorn, as Debian's node-acorn installs it. Exit code 4: there is none. Exit code 3: a file does not parse.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const acorn = findAcorn();
const [, , command, ...args] = process.argv;

const COMPARISONS = { '===': '!==', '!==': '===', '==': '!=', '!=': '==' };
const BOUNDS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const TURNED = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' };
const ARITHMETIC = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&': '|', '|': '&', '<<': '>>', '>>': '<<', '**': '*' };
const LOGICAL = { '&&': '||', '||': '&&', '??': '&&' };
const STORES = /^(save|store|write|persist|put|add|append|push|commit|update|set)/i;
const CLEARS = /^(clear|remove|delete|discard|forget|wipe|pop|shift|unlink|rm|cancel|close|reset)/i;


function findAcorn() {
  const places = ['/usr/share/nodejs/', '/usr/lib/nodejs/', `${process.cwd()}/`, import.meta.url];
  for (const place of places) {
    try {
      return createRequire(place)(place.startsWith('/usr/') ? `${place}acorn` : 'acorn');
    } catch {
      // the next place
    }
  }
  process.exit(4);
}

function parse(text) {
  return acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true, allowHashBang: true });
}

function read(file) {
  const text = fs.readFileSync(file, 'utf8');
  try {
    return { text, tree: parse(text) };
  } catch (error) {
    console.error(JSON.stringify({ file, line: error.loc?.line ?? 1, message: error.message }));
    process.exit(3);
  }
}

/** The nodes directly below a node, in the order of the source. */
function children(node) {
  const found = [];
  for (const [name, value] of Object.entries(node)) {
    if (name === 'loc') continue;
    for (const each of Array.isArray(value) ? value : [value]) if (typeof each?.type === 'string') found.push(each);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The lists of statements that a node has, for each of which a report may stand before a statement. */
function statements(node) {
  if (['Program', 'BlockStatement', 'StaticBlock'].includes(node.type)) return node.body;
  return node.type === 'SwitchCase' ? node.consequent : [];
}

const isStatement = (node) => /Statement$|Declaration$/.test(node.type) && !['BlockStatement', 'EmptyStatement'].includes(node.type);
const key = (node) => `${node.loc.start.line}:${node.loc.start.column}`;
const isMethodBody = (node) => ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type);

function mutants(file) {
  const { text, tree } = read(file);
  const found = [];
  const source = (node) => text.slice(node.start, node.end);
  const without = (nodes, number, all) => {
    // a list without one member, with the comma that goes with it
    const from = number === 0 ? nodes[0].start : nodes[number - 1].end;
    const to = number === 0 && nodes.length > 1 ? nodes[1].start : nodes[number].end;
    return text.slice(all.start, from) + text.slice(to, all.end);
  };

  walk(tree, { at: undefined, inError: false, parent: undefined });
  return found;

  function add(operator, node, after, { at, later }, start = node.start, end = node.end) {
    const changed = text.slice(0, start) + after + text.slice(end);
    if (changed === text) return;
    try {
      parse(changed);
    } catch {
      return;
    }
    found.push({
      file, line: text.slice(0, start).split('\n').length, operator, after, before: text.slice(start, end), reached_by: at,
      at_start: !later,
      start: Buffer.byteLength(text.slice(0, start)), end: Buffer.byteLength(text.slice(0, end)),
    });
  }

  function negate(test, operator, context) {
    const plain = test.type === 'UnaryExpression' && test.operator === '!';
    add(operator, test, plain ? source(test.argument) : `!(${source(test)})`, context);
  }

  function isExact(test) {
    return test.type === 'BinaryExpression' && test.operator in COMPARISONS;
  }

  function walk(node, context) {
    const listed = context.listed?.includes(node);
    if (listed || (isStatement(node) && !context.at)) context = { ...context, at: key(node) };
    visit(node, context);
    const below = { ...context, parent: node, listed: statements(node) };
    if (['ThrowStatement'].includes(node.type)) below.inError = true;
    if (isMethodBody(node)) Object.assign(below, { inError: false, later: true });
    // what a member of a class is given is reported by itself
    for (const child of children(node)) {
      const own = node.type === 'PropertyDefinition' && child === node.value && !node.static;
      walk(child, own ? { ...below, at: key(child), later: true } : below);
    }
  }

  function visit(node, context) {
    const { parent } = context;
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        if (!isExact(node.test)) negate(node.test, node.alternate ? 'swap branches' : 'negate condition', context);
        break;
      case 'WhileStatement':
      case 'DoWhileStatement':
        if (!isExact(node.test)) negate(node.test, 'negate condition', context);
        break;
      case 'UnaryExpression':
        if (node.operator === '!' && !(parent?.test === node)) add('negate condition', node, source(node.argument), context);
        break;
      case 'UpdateExpression':
        add('change operator', node, source(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')), context);
        break;
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const operate = (operator, to) => {
          const [left, right] = [source(node.left), source(node.right)];
          const mixed = node.type === 'LogicalExpression';
          add(operator, node, mixed ? `((${left}) ${to} (${right}))` : `(${left} ${to} ${right})`, context);
        };
        if (node.operator in BOUNDS) {
          operate('off by one', BOUNDS[node.operator]);
          operate('change operator', TURNED[node.operator]);
        }
        const table = node.type === 'LogicalExpression' ? LOGICAL : { ...COMPARISONS, ...ARITHMETIC };
        if (node.operator in table) operate('change operator', table[node.operator]);
        if (node.operator === 'in') add('change operator', node, `!(${source(node)})`, context);
        break;
      }
      case 'AssignmentExpression':
        if (node.operator.slice(0, -1) in ARITHMETIC) {
          add('change operator', node, `${source(node.left)} ${ARITHMETIC[node.operator.slice(0, -1)]}= ${source(node.right)}`, context);
        }
        break;
      case 'AwaitExpression':
        add('drop await', node, `(${source(node.argument)})`, context);
        break;
      case 'CallExpression':
      case 'NewExpression':
        node.arguments.forEach((_, number) => {
          if (number < node.arguments.length - 1) return;
          add('drop argument', node, without(node.arguments, number, node), context);
        });
        break;
      case 'ObjectExpression':
        node.properties.forEach((_, number) => add('drop argument', node, without(node.properties, number, node), context));
        break;
      case 'ReturnStatement':
        if (node.argument) add('return nothing', node, 'return;', context);
        else add('drop statement', node, ';', context);
        break;
      case 'ThrowStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        add('drop statement', node, ';', context);
        break;
      case 'ExpressionStatement':
        if (!node.directive) add(forgotten(node.expression) ?? 'drop statement', node, ';', context);
        break;
      case 'ArrowFunctionExpression':
        if (node.body.type !== 'BlockStatement') add('return nothing', node.body, 'undefined', { ...context, later: true });
      // falls through
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        if (node.body.type === 'BlockStatement' && node.body.body.length > 1) {
          const first = node.body.body[0];
          add('return early', first, 'return; ', { at: key(first), later: true }, first.start, first.start);
        }
        break;
      case 'CatchClause':
        if (node.body.body.length) add('swallow exception', node.body, '{}', { ...context, at: key(node.body.body[0]) });
        break;
      case 'Literal':
        literal(node, context);
        break;
      case 'TemplateElement':
        if (!context.inError && node.value.raw && parent.quasis.find((each) => each.value.raw) === node) {
          add('change text', node, otherText(node.value.raw, node.loc.start.column).replace(/[`\\]|\$\{/g, ''), context);
        }
        break;
    }
  }

  function literal(node, context) {
    const { parent, inError } = context;
    if (['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'].includes(parent.type)) return;
    if (parent.type === 'Property' && parent.key === node && !parent.computed) return; // dropped with its member
    const { value } = node;
    if (typeof value === 'boolean') add('change constant', node, String(!value), context);
    if (typeof value === 'number') for (const other of [value + 1, value - 1]) add('off by one', node, other < 0 ? `(${other})` : String(other), context);
    if (typeof value !== 'string' || (inError && value.includes(' '))) return;
    add('change text', node, JSON.stringify(otherText(value, node.loc.start.line + node.loc.start.column)), context);
  }
}

/** Another text: longer, empty, or with the case of its letters swapped. */
function otherText(value, lot) {
  if (!value) return 'x';
  const swapped = [...value].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('');
  return [`${value}x`, '', swapped === value ? value.slice(0, -1) : swapped][lot % 3];
}

function forgotten(expression) {
  if (expression.type === 'AwaitExpression') return forgotten(expression.argument);
  if (expression.type === 'UnaryExpression' && expression.operator === 'delete') return 'forget clear';
  if (expression.type === 'AssignmentExpression') {
    if (expression.left.type !== 'MemberExpression') return undefined;
    const { right } = expression;
    const empty = ['undefined', 'null', '[]', '{}', 'false', "''"].includes(right.raw ?? right.name) ||
      (right.type === 'ArrayExpression' && !right.elements.length) || (right.type === 'ObjectExpression' && !right.properties.length);
    return empty ? 'forget clear' : 'forget store';
  }
  if (expression.type !== 'CallExpression') return undefined;
  const { callee } = expression;
  const name = (callee.property?.name ?? callee.name ?? '').replace(/^#|^_/, '');
  if (CLEARS.test(name)) return 'forget clear';
  return STORES.test(name) ? 'forget store' : undefined;
}

// ----- coverage

function instrument(file, hits, first) {
  const { text, tree } = read(file);
  const numbers = {};
  const insertions = [];
  let next = first;
  const number = (at) => (numbers[at] ??= next++);
  walk(tree, undefined, []);
  insertions.sort((a, b) => a.place - b.place || a.order - b.order);
  let done = '';
  let last = 0;
  for (const { place, what } of insertions) {
    done += text.slice(last, place) + what;
    last = place;
  }
  return { numbers, next, source: head() + done + text.slice(last) };

  function head() {
    return (
      `import { openSync as __open, writeSync as __write } from 'node:fs';\n` +
      `const __hit = (() => { const file = __open(${JSON.stringify(hits)}, 'a'); const seen = new Map(); const now = Date.now;\n` +
      `return (number) => { const at = now(); if (seen.get(number) === at) return; seen.set(number, at);\n` +
      `__write(file, \`\${at} \${number}\\n\`); }; })();\n__hit(0);\n`
    );
  }

  function insert(place, what, order) {
    insertions.push({ place, what, order });
  }

  function walk(node, at, listed) {
    if (listed.includes(node) || (isStatement(node) && !at)) {
      at = key(node);
      if (listed.includes(node) && !node.directive) insert(node.start, `__hit(${number(at)}); `, 0);
      else number(at);
    }
    if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement') wrapped(node.body, at);
    for (const child of children(node)) {
      const own = node.type === 'PropertyDefinition' && child === node.value && !node.static;
      if (own) wrapped(child, key(child));
      walk(child, own ? key(child) : at, statements(node));
    }
  }

  /** Reports before an expression. Parentheses around it stay where they are. */
  function wrapped(node, at) {
    insert(node.start, `(__hit(${number(at)}), `, 1);
    insert(node.end, ')', -1);
  }
}

if (command === 'mutants') for (const file of args) for (const mutant of mutants(file)) console.log(JSON.stringify(mutant));
if (command === 'instrument') console.log(JSON.stringify(instrument(args[0], args[1], Number(args[2]))));
