type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

// Conversions to sRGB as in the sample code of CSS Color 4, section 18.

/** Converts linear light to sRGB's encoding; odd, so that values outside the range stay outside. */
export function toGamma(value: number): number {
  const size = Math.abs(value);
  return size > 0.0031308 ? Math.sign(value) * (1.055 * size ** (1 / 2.4) - 0.055) : 12.92 * value;
}

/** Converts sRGB's encoding to linear light; odd as well. */
export function toLinear(value: number): number {
  const size = Math.abs(value);
  return size > 0.04045 ? Math.sign(value) * ((size + 0.055) / 1.055) ** 2.4 : value / 12.92;
}

function times([a, b, c]: Matrix, [x, y, z]: Triple): Triple {
  const row = (m: Triple) => m[0] * x + m[1] * y + m[2] * z;
  return [row(a), row(b), row(c)];
}

const XYZ_TO_SRGB: Matrix = [
  [3.2409699419045226, -1.537383177570094, -0.4986107602930034],
  [-0.9692436362808796, 1.8759675015077202, 0.04155505740717559],
  [0.05563007969699366, -0.20397695888897652, 1.0569715142428786],
];
const P3_TO_XYZ: Matrix = [
  [0.4865709486482162, 0.26566769316909306, 0.1982172852343625],
  [0.2289745640697488, 0.6917385218365064, 0.079286914093745],
  [0, 0.04511338185890264, 1.043944368900976],
];
const D50_TO_D65: Matrix = [
  [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
  [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
  [0.012314014864481998, -0.020507649298898964, 1.330365926242124],
];
const OKLAB_TO_LMS: Matrix = [
  [1, 0.3963377773761749, 0.2158037573099136],
  [1, -0.1055613458156586, -0.0638541728258133],
  [1, -0.0894841775298119, -1.2914855480194092],
];
const LMS_TO_XYZ: Matrix = [
  [1.2268798758459243, -0.5578149944602171, 0.2813910456659647],
  [-0.0405757452148008, 1.112286803280317, -0.0717110580655164],
  [-0.0763729366746601, -0.4214933324022432, 1.5869240198367816],
];
const WHITE_D50: Triple = [0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585];

function fromXyz(xyz: Triple): Triple {
  const [r, g, b] = times(XYZ_TO_SRGB, xyz);
  return [toGamma(r), toGamma(g), toGamma(b)];
}

/** Converts from Display P3, which shares sRGB's transfer curve. */
export function fromDisplayP3(r: number, g: number, b: number): Triple {
  return fromXyz(times(P3_TO_XYZ, [toLinear(r), toLinear(g), toLinear(b)]));
}

/**
 * Converts from HSL.
 * @param hue degrees
 * @param saturation 0 to 100
 * @param lightness 0 to 100
 */
export function fromHsl(hue: number, saturation: number, lightness: number): Triple {
  const light = lightness / 100;
  const reach = (Math.max(0, saturation) / 100) * Math.min(light, 1 - light);
  const part = (offset: number) => {
    const k = (offset + ((hue % 360) + 360) / 30) % 12;
    return light - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [part(0), part(8), part(4)];
}

/**
 * Converts from HWB.
 * @param hue degrees
 * @param whiteness 0 to 100
 * @param blackness 0 to 100
 */
export function fromHwb(hue: number, whiteness: number, blackness: number): Triple {
  const total = whiteness + blackness;
  if (total >= 100) return [whiteness / total, whiteness / total, whiteness / total];
  const mix = (part: number) => part * (1 - total / 100) + whiteness / 100;
  const [r, g, b] = fromHsl(hue, 100, 50);
  return [mix(r), mix(g), mix(b)];
}

/** Converts from CIE Lab under D50. */
export function fromLab(l: number, a: number, b: number): Triple {
  const epsilon = 216 / 24389;
  const kappa = 24389 / 27;
  const fy = (l + 16) / 116;
  const cube = (f: number) => (f ** 3 > epsilon ? f ** 3 : (116 * f - 16) / kappa);
  const y = l > kappa * epsilon ? fy ** 3 : l / kappa;
  const xyz: Triple = [
    cube(a / 500 + fy) * WHITE_D50[0],
    y * WHITE_D50[1],
    cube(fy - b / 200) * WHITE_D50[2],
  ];
  return fromXyz(times(D50_TO_D65, xyz));
}

export function fromLch(l: number, chroma: number, hue: number): Triple {
  return fromLab(l, ...polar(chroma, hue));
}

export function fromOklab(l: number, a: number, b: number): Triple {
  const [long, medium, short] = times(OKLAB_TO_LMS, [l, a, b]);
  return fromXyz(times(LMS_TO_XYZ, [long ** 3, medium ** 3, short ** 3]));
}

export function fromOklch(l: number, chroma: number, hue: number): Triple {
  return fromOklab(l, ...polar(chroma, hue));
}

function polar(chroma: number, hue: number): [number, number] {
  const radians = (hue * Math.PI) / 180;
  return [Math.max(0, chroma) * Math.cos(radians), Math.max(0, chroma) * Math.sin(radians)];
}
