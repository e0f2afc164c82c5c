// Draws the harmless stand-ins for what moderation is about: public/acceptance/{toy-gun,red-paint,bandage,flag}.png.
// Run again with `npx tsx lab/assets/stand-in-drawings.ts`. The results are committed, and a change of them needs a
// new ACCEPTANCE_VERSION.
import sharp from 'sharp';

const FOLDER = 'public/acceptance';
const SIDE = 360;

/** Contents of each drawing, on 360 x 360 points. */
const DRAWINGS = {
  /** Water pistol of bright plastic, with its tank and drops of water. */
  'toy-gun': `<rect width="360" height="360" fill="#fff6d8" stroke="none"/>
  <rect x="120" y="66" width="92" height="52" rx="24" fill="#58b7f2"/><rect x="152" y="112" width="28" height="22" fill="#f58a1f"/>
  <path d="M70 132H268V150H300V178H268V196H190L176 214H152L140 300H86L98 196H70Z" fill="#7ccb3a"/>
  <path d="M152 214H186L180 246H148" fill="none"/><path d="M268 140H284V188H268Z" fill="#f58a1f"/>
  <circle cx="112" cy="166" r="14" fill="#ffd83a"/><path d="M160 164H240" fill="none"/>
  <path d="M322 152q10 12 0 18q-10-6 0-18ZM342 170q8 10 0 14q-8-4 0-14ZM338 138q6 8 0 12q-6-4 0-12Z" fill="#58b7f2" stroke-width="3"/>`,
  /** Tin of red paint that fell over, with its brush. */
  'red-paint': `<rect width="360" height="360" fill="#e9e2d4" stroke="none"/>
  <path d="M150 208C90 190 40 214 36 250C32 290 92 286 110 304C132 326 178 306 214 312C262 320 300 296 280 264C268 244 220 250 196 232Z"
  fill="#d8232a"/><path d="M70 250Q90 236 116 244M150 286Q172 292 196 284" stroke="#f0686d" fill="none" stroke-width="8"/>
  <g transform="rotate(68 218 172)"><path d="M160 120V232Q218 258 276 232V120" fill="#c3cad2"/>
  <ellipse cx="218" cy="232" rx="58" ry="20" fill="#d8232a"/><path d="M160 150Q218 176 276 150V200Q218 226 160 200Z" fill="#2f7fc4"/>
  <ellipse cx="218" cy="120" rx="58" ry="20" fill="#aab3bd"/></g>
  <g transform="rotate(-24 92 120)"><rect x="78" y="36" width="28" height="78" rx="12" fill="#e0a452"/>
  <rect x="68" y="110" width="48" height="22" fill="#8d949c"/><path d="M70 132H114L108 178Q92 188 76 178Z" fill="#d8232a"/></g>`,
  /** Forearm with a bandage and a plaster with hearts: it was looked after. */
  bandage: `<rect width="360" height="360" fill="#d9eef0" stroke="none"/>
  <path d="M20 322Q110 300 176 214L232 140Q222 116 238 98L268 62Q282 50 290 66L300 56Q316 50 320 68L326 72Q338 76 334 92L318 132Q304 156
  284 160L232 244Q160 340 76 356H20Z" fill="#f2c39b"/>
  <path d="M106 286Q150 262 176 214L206 176L262 202L232 244Q196 300 142 334Z" fill="#fdfdfa"/>
  <path d="M120 280Q156 312 160 318M142 262L190 296M162 240L212 272M180 214L236 242M194 192L250 218" fill="none" stroke="#b9bfc2"/>
  <path d="M268 62L262 92M290 66L280 96M320 68L300 104" fill="none" stroke-width="4"/>
  <g transform="rotate(-38 70 322)"><rect x="30" y="306" width="80" height="30" rx="15" fill="#f7a7b8"/>
  <rect x="56" y="308" width="28" height="26" fill="#fbd3dc" stroke-width="3"/></g>`,
  /** Flag of three stripes with a star, which is no state's and no movement's. */
  flag: `<rect width="360" height="360" fill="#bfe3fb" stroke="none"/>
  <path d="M0 318Q90 286 180 312T360 304V360H0Z" fill="#79b963"/><path d="M74 44V320" stroke="#6b4a2b" stroke-width="14"/>
  <circle cx="74" cy="38" r="13" fill="#ffd23c"/>
  <path d="M82 60Q140 36 200 60T322 60V120Q260 144 200 120T82 120Z" fill="#2f9e8f"/>
  <path d="M82 120Q140 96 200 120T322 120V180Q260 204 200 180T82 180Z" fill="#fff7e0"/>
  <path d="M82 180Q140 156 200 180T322 180V240Q260 264 200 240T82 240Z" fill="#f29b30"/>
  <path d="M200 122l8 20 22 2-17 14 6 22-19-12-19 12 6-22-17-14 22-2Z" fill="#2f7fc4" stroke-width="4"/>`,
} as const;

for (const [name, contents] of Object.entries(DRAWINGS)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" stroke="#111" stroke-width="6"
  stroke-linejoin="round" stroke-linecap="round">${contents}</svg>`;
  await sharp(Buffer.from(svg)).png({ palette: true }).toFile(`${FOLDER}/${name}.png`);
}
