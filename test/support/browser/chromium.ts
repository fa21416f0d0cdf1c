/** Chromium without a window, driven over loopback by its own protocol (Chrome DevTools Protocol): pages as people and screen readers have them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The browser of the system; undefined where there is none. */
export const chromiumPath = ['chromium', 'chromium-browser']
  .flatMap((name) => (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, name)))
  .find(existsSync);

type Answer = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Answer;
  readonly result?: Answer;
  readonly error?: { readonly message: string };
}

/** How a page is looked at. */
export interface View {
  readonly colours?: 'light' | 'dark';
  readonly media?: 'screen' | 'print';
  /** False: the page's own script does not run. */
  readonly scripts?: boolean;
  /** Of the window, in CSS pixels; missing: 1400. A page at 200 % in a window of 1400 is one of 700. */
  readonly width?: number;
}

/** One open page. */
export interface OpenPage {
  /** What an expression of JavaScript gives there, as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses a key, by its name in `KeyboardEvent.key`. */
  press(key: string, code: number): Promise<void>;
  /** Types a text where the keyboard is. */
  type(text: string): Promise<void>;
  /** Takes the network away from the page, or gives it back. */
  offline(isOffline: boolean): Promise<void>;
  /** Goes to another address, and waits until it is there. */
  goTo(address: string): Promise<void>;
  /** Does something that leads to another page, and waits until that is there. */
  leads(work: () => Promise<unknown>): Promise<void>;
  /** Drops a file on a field for files, by its selector. */
  drop(selector: string, file: string): Promise<void>;
  /** What all of it looks like, as PNG. */
  picture(): Promise<Buffer>;
  /** Pages of paper that it is printed on. */
  printedPages(): Promise<number>;
  /** Addresses that it asked for, and what it complained of: its policy, and errors. */
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

/** A browser under way. */
export class Chromium {
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  readonly #folder: string;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #listeners = new Set<(message: Message) => void>();
  #last = 0;

  private constructor(child: ChildProcess, socket: WebSocket, folder: string) {
    this.#child = child;
    this.#socket = socket;
    this.#folder = folder;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
  }

  static async start(program: string): Promise<Chromium> {
    const folder = await mkdtemp(path.join(tmpdir(), 'paybatch-browser-'));
    // Its sandbox needs rights that containers do not give; it shows files that these tests wrote themselves.
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--window-size=1400,1000',
      '--disable-dev-shm-usage',
      '--remote-debugging-port=0',
    ];
    const child = spawn(program, [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const address = await addressOf(child);
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return new Chromium(child, socket, folder);
  }

  /** Opens a file, or an address, as a page of its own, and waits until it is there. */
  async open(
    place: string,
    { colours = 'light', media = 'screen', scripts = true, width }: View = {},
  ): Promise<OpenPage> {
    const { targetId } = await this.#call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.#call('Target.attachToTarget', { targetId, flatten: true });
    const call = (method: string, params: Answer = {}) => this.#call(method, params, String(sessionId));
    const requests: string[] = [];
    const complaints: string[] = [];
    let loaded = Promise.withResolvers<void>();
    this.#listeners.add(({ method, params = {}, sessionId: from }) => {
      if (from !== sessionId) return;
      if (method === 'Network.requestWillBeSent') requests.push((params['request'] as { url: string }).url);
      if (method === 'Log.entryAdded') complaints.push((params['entry'] as { text: string }).text);
      if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params['exceptionDetails']));
      if (method === 'Page.loadEventFired') loaded.resolve();
    });
    for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await call(`${domain}.enable`);
    await call('Emulation.setEmulatedMedia', { media, features: [{ name: 'prefers-color-scheme', value: colours }] });
    await call('Emulation.setScriptExecutionDisabled', { value: !scripts });
    if (width !== undefined)
      await call('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: false });
    /** A page that is still loading would be taken for the one that follows it. */
    const isThere = async (): Promise<boolean> => {
      const { result } = await call('Runtime.evaluate', { expression: 'document.readyState', returnByValue: true });
      return (result as { readonly value?: string }).value === 'complete';
    };
    const leads = async (work: () => Promise<unknown>): Promise<void> => {
      while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 10));
      loaded = Promise.withResolvers();
      await work();
      await loaded.promise;
    };
    const goTo = (address: string): Promise<void> => leads(() => call('Page.navigate', { url: address }));
    await goTo(/^https?:/.test(place) ? place : pathToFileURL(place).href);
    return {
      goTo,
      leads,
      async drop(selector, file) {
        const { root } = await call('DOM.getDocument');
        const { nodeId } = await call('DOM.querySelector', { nodeId: (root as { nodeId: number }).nodeId, selector });
        await call('DOM.setFileInputFiles', { nodeId, files: [file] });
      },
      async picture() {
        const { data } = await call('Page.captureScreenshot', { captureBeyondViewport: true });
        return Buffer.from(String(data), 'base64');
      },
      requests,
      complaints,
      async evaluate<T>(expression: string): Promise<T> {
        const asked = { expression, awaitPromise: true, returnByValue: true };
        const { result, exceptionDetails } = await call('Runtime.evaluate', asked);
        if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
        return (result as { readonly value: T }).value;
      },
      async press(key, code) {
        const named = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' && { text: '\r' }) };
        await call('Input.dispatchKeyEvent', { type: 'keyDown', ...named });
        await call('Input.dispatchKeyEvent', { type: 'keyUp', ...named });
      },
      async type(text) {
        await call('Input.insertText', { text });
      },
      async offline(isOffline) {
        const unthrottled = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
        await call('Network.emulateNetworkConditions', { offline: isOffline, ...unthrottled });
      },
      async printedPages() {
        const { data } = await call('Page.printToPDF', { preferCSSPageSize: true, printBackground: true });
        return (
          Buffer.from(String(data), 'base64')
            .toString('latin1')
            .match(/\/Type\s*\/Page\b/g)?.length ?? 0
        );
      },
    };
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    await this.#call('Browser.close').catch(() => this.#child.kill('SIGKILL'));
    await gone;
    this.#socket.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #call(method: string, params: Answer = {}, sessionId?: string): Promise<Answer> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result = {}, error }) =>
        error ? reject(new Error(`${method}: ${error.message}`)) : resolve(result),
      );
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    });
  }

  #take(message: Message): void {
    if (message.id === undefined) {
      for (const listener of this.#listeners) listener(message);
      return;
    }
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }
}

/** What it says on stderr when it listens. */
const LISTENS = /DevTools listening on (ws:\/\/127\.0\.0\.1:\S+)/;

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
      const address = LISTENS.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the browser ended with ${code}: ${said}`)));
  });
}
