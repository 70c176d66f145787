import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './find-chromium.ts'
import { screenshotFolder } from './screenshots.ts'

export default defineConfig({
  testDir: './tests',
  globalSetup: './share-for-run.ts',
  // Each worker boots its own network.
  workers: 2,
  fullyParallel: true,
  timeout: 90_000,
  // A machine that other work keeps busy takes more than 5 s for a password's key or the end of an operation.
  expect: { timeout: 15_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  outputDir: './test-results',
  snapshotPathTemplate: `${screenshotFolder}/{testFileName}/{testName}/{arg}{ext}`,
  use: {
    // Traces make tests half as slow again: use `npm run e2e -- --trace retain-on-failure` when you need one.
    screenshot: 'only-on-failure',
    contextOptions: {
      ...devices['Desktop Chrome'],
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      // Waiting for animations would only take time.
      reducedMotion: 'reduce',
    },
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // Widths as in a window: the headless shell would round them to whole pixels.
        '--font-render-hinting=none',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
