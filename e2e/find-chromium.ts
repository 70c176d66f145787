/**
 * The browser for the tests: CHROMIUM_PATH, Playwright's own, or the system's. The headless shell comes first, because it
 * is the same engine and takes a third less CPU: it draws no window.
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** @throws Error that says in one line how to get one */
export function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = [process.env.CHROMIUM_PATH ?? '', chromium.executablePath(), ...onPath].find(
    (path) => path !== '' && existsSync(path),
  )
  if (found !== undefined) return found
  throw new Error(
    'No Chromium was found: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
  )
}
