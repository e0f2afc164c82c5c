import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  type Browser,
  type BrowserContext,
  type BrowserServer,
  chromium,
  type LaunchOptions,
} from 'playwright';

const execute = promisify(execFile);

/** Popups of the address bar. Each new window starts processes for them, which costs as much as a visit of a page. */
const POPUPS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'PreloadTopChromeWebUI'];

/** Features that playwright turns off. Chromium obeys the last list alone, so ours repeats them. */
const TURNED_OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** A fresh browser contacts its maker's servers; tests must see only our own traffic. */
const FLAGS = [
  `--disable-features=${[...TURNED_OFF_BY_PLAYWRIGHT, ...POPUPS].join(',')}`,
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps, and that every page may use that asks.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/**
 * Lets WebAssembly run ten times as long before V8 optimises it. Each visit begins without compiled code, and most of
 * them end before optimised code pays: a cutout takes a quarter less processor time.
 */
const SHORT_VISITS = '--js-flags=--wasm-tiering-budget=130000000';

/**
 * Debian's Chromium for automation, which playwright prefers, too: the same engine without windows, each of which costs
 * half a second of processor time.
 */
const HEADLESS_SHELL = 'chromium-headless-shell';
const INSTALL_TIMEOUT_MS = 300_000;

/**
 * Starts a real Chromium: the one of CHROMIUM_PATH, of the system, or of playwright. Installs a missing one: by apt
 * as root on Debian, else by playwright.
 * @throws Error that says how to get one
 */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch(await realChromium(options));
}

/** Starts a Chromium as `launchChromium` does, with the profile of a visitor who comes back. */
export async function launchChromiumProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, await realChromium());
}

/**
 * Starts a Chromium as `launchChromium` does, for many processes to connect to, whose visits are short.
 * @throws Error that says how to get one
 */
export async function launchChromiumServer(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await realChromium({ args: [SHORT_VISITS] })), host: '127.0.0.1' });
}

async function realChromium(options: LaunchOptions = {}): Promise<LaunchOptions> {
  const executablePath = (await installedChromium()) ?? (await installChromium());
  return { ...options, executablePath, args: [...FLAGS, ...(options.args ?? [])] };
}

async function installedChromium(): Promise<string | null> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) {
    if (await isExecutable(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH: ${CHROMIUM_PATH} is not a program. Correct it or leave it out.`);
  }
  for (const path of [`/usr/bin/${HEADLESS_SHELL}`, '/usr/bin/chromium', chromium.executablePath()]) {
    if (await isExecutable(path)) return path;
  }
  return null;
}

async function installChromium(): Promise<string> {
  const isRootOnDebian = process.getuid?.() === 0 && (await isExecutable('/usr/bin/apt-get'));
  const commands = isRootOnDebian
    ? [
        ['apt-get', 'update'],
        ['apt-get', 'install', '-y', '--no-install-recommends', HEADLESS_SHELL],
      ]
    : [['npx', 'playwright', 'install', 'chromium']];
  try {
    for (const [program = '', ...args] of commands) {
      await execute(program, args, { timeout: INSTALL_TIMEOUT_MS, maxBuffer: 50_000_000 });
    }
  } catch (cause) {
    const tried = commands.map((command) => command.join(' ')).join(' && ');
    throw new Error(
      `No Chromium was found, and "${tried}" failed. Install one, or set CHROMIUM_PATH to its program.`,
      { cause },
    );
  }
  const path = await installedChromium();
  if (!path) throw new Error('Chromium was installed but not found. Set CHROMIUM_PATH to its program.');
  return path;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
