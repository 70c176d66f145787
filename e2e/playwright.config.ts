import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './find-chromium.ts'

export default defineConfig({
  testDir: './tests',
  globalSetup: './share-for-run.ts',
  // Each worker boots its own network.
  workers: 2,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  outputDir: './test-results',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // Traces make tests half as slow again: use `npm run e2e -- --trace retain-on-failure` when you need one.
    screenshot: 'only-on-failure',
    // Waiting for animations would only take time.
    contextOptions: { reducedMotion: 'reduce' },
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
