import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Glue of wasm-vips as its package has it, and as browsers get it. */
const GLUE = {
  source: {
    path: 'node_modules/wasm-vips/lib/vips-es6.js',
    sha256: '4de6113dc80958b2acc7d45af95086277bab670af474125fdbd179e62dae96af',
  },
  result: {
    path: 'workers/vendor/vips-es6.js',
    sha256: '45790fe317008422e0d3ac59ac69d105f370f91eefad1f1a492e3132a62fa830',
  },
} as const;

/**
 * Changes to the glue, each of one place. It makes code from strings, which our policy forbids: closures do the same.
 * One-letter names are those of the minified code around a place.
 */
const CHANGES: readonly (readonly [from: string, to: string])[] = [
  // embind, craftInvokerFunction: convert the arguments, call, free what they needed, convert the result.
  [
    'b=(new Function(v,n+"}\\n"))(...d);return Me(a,b)',
    `var argTypes=b,invoker=d[2],fn=d[3],fromRetWire=d[5],from=c?1:2;b=function(...args){
var destructors=h?[]:null,sp=l?Od():0,wired=[],rv;
try{
if(c)wired.push(argTypes[1].G(destructors,this));
for(var i=2;i<argTypes.length;i++)wired.push(argTypes[i].G(destructors,args[i-2]));
rv=invoker(fn,...wired);
}finally{if(l)Pd(sp)}
if(h)Xf(destructors);
else for(i=from;i<argTypes.length;i++)if(argTypes[i].I!==null)argTypes[i].I(wired[i-from]);
if(m)return fromRetWire(rv)};return Me(a,b)`,
  ],
  // embind, _emval_create_invoker: call a function, a constructor or a method of the page.
  [
    'c=(new Function(Object.keys(h),l))(...Object.values(h));',
    `var kind=c,isVoid=b.kb;c=(handle,methodName,destructorsRef,args)=>{
var target=kind===3?null:Y(handle),values=g.map((fromPtr,i)=>fromPtr(args+i*8)),
value=kind===0?target(...values):kind===2?new target(...values):kind===3?values.at(-1):target[th(methodName)](...values);
if(!isVoid)return rh(e,destructorsRef,value)};`,
  ],
  // Scripts inside of side modules: those we load have none, so another one ends the program.
  ['Oe[D]=eval(', 'Oe[D]=J('],
  ['v[xa]=eval(', 'v[xa]=J('],
  // Its memory never shrinks: an instance must be able to end, and to tell how large it is.
  [
    'Ud=[];Rd={}};function Aa()',
    'Ud=[];Rd={}};Module.end=je;Module.getHeapBytes=()=>qa.buffer.byteLength;function Aa()',
  ],
  // One thread works on an image; a pool for all cores would only cost memory.
  ['navigator.hardwareConcurrency>6?navigator.hardwareConcurrency:6', '6'],
];

/**
 * Writes the glue of wasm-vips for browsers, without `eval` and `new Function`. A file that is right stays.
 * @param root folder of the checkout
 * @throws Error when the package is another one than the changes were made for
 */
export function writeVipsGlue(root: string): void {
  const path = join(root, GLUE.result.path);
  if (existsSync(path) && getSha256(readFileSync(path, 'utf8')) === GLUE.result.sha256) return;
  const source = readFileSync(join(root, GLUE.source.path), 'utf8');
  const result = CHANGES.reduce((text, [from, to]) => text.replaceAll(from, () => to), source);
  for (const [text, { path, sha256 }] of [
    [source, GLUE.source],
    [result, GLUE.result],
  ] as const) {
    if (getSha256(text) !== sha256) throw new Error(`${path} is not the file that its SHA-256 pins.`);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, result);
}

function getSha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
