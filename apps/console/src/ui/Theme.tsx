import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, MantineProvider, rem } from '@mantine/core'
import '@mantine/core/styles.layer.css'
import type { ReactNode } from 'react'

/**
 * Provides Mantine to everything inside. It is not around the whole app: the sign-in page works without Mantine, so
 * that it is shown at once, and loads Mantine while the form is filled in.
 */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}

const accent: MantineColorsTuple = [
  '#eef1ff',
  '#dce2fb',
  '#b8c2f3',
  '#92a1ec',
  '#7384e6',
  '#5b6fe0',
  '#4257d6',
  '#3546b8',
  '#2c3a99',
  '#222e7c',
]

/** White text is readable on the shades from 6 on. */
const red: MantineColorsTuple = [
  '#fff1f1',
  '#ffdfdf',
  '#ffc2c2',
  '#ff9c9c',
  '#f26d6d',
  '#df4a4a',
  '#c62f2f',
  '#a82424',
  '#8d2020',
  '#761f1f',
]

const grey: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  '#e6e9ee',
  '#d8dce3',
  '#c3c9d3',
  '#9aa3b2',
  '#687282',
  '#4a5363',
  '#2f3644',
  '#1c212b',
]

const dark: MantineColorsTuple = [
  '#d6dae2',
  '#b4bbc8',
  '#99a2b3',
  '#646d7e',
  '#3d4451',
  '#2e343f',
  '#242932',
  '#1b1f26',
  '#15181e',
  '#0f1216',
]

/** Dialogs and popovers are placed inside the page's main landmark, so that their headers are not a second banner. */
const overlays = { target: '#overlays' }

const dialogTitle = { fontWeight: 600, fontSize: rem(16) }

const fontFamily = 'var(--rk-font)'

const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, red, gray: grey, dark },
  fontFamily,
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, monospace",
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(20), lineHeight: '1.4' },
      h2: { fontSize: rem(16), lineHeight: '1.45' },
      h3: { fontSize: rem(14), lineHeight: '1.5' },
    },
  },
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(14), lg: rem(16), xl: rem(18) },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.55', xl: '1.6' },
  defaultRadius: 'md',
  radius: { xs: rem(3), sm: rem(4), md: rem(6), lg: rem(10), xl: rem(16) },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // By name: importing the components here would load them all with the login page.
  components: {
    Button: { defaultProps: { size: 'sm' } },
    InputWrapper: { styles: { label: { marginBottom: rem(4) } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Checkbox: { defaultProps: { size: 'sm' } },
    // The placeholder for the first focus is not a menu item.
    Menu: {
      defaultProps: { shadow: 'md', portalProps: overlays, withInitialFocusPlaceholder: false, returnFocus: true },
    },
    Popover: { defaultProps: { shadow: 'md', portalProps: overlays } },
    Combobox: { defaultProps: { shadow: 'md', portalProps: overlays } },
    Drawer: { styles: { title: dialogTitle }, defaultProps: { portalProps: overlays } },
    Modal: {
      styles: { title: dialogTitle },
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.45 },
        portalProps: overlays,
      },
    },
    Tooltip: {
      defaultProps: { openDelay: 300, multiline: true, maw: 360, events: { hover: true, focus: true, touch: true } },
    },
  },
})

/** Mantine's greys and reds for text have a contrast below 4.5:1; those of global.css do not. */
const cssVariables: CSSVariablesResolver = () => {
  const both = {
    '--mantine-color-body': 'var(--rk-surface)',
    '--mantine-color-text': 'var(--rk-text)',
    '--mantine-color-dimmed': 'var(--rk-dimmed)',
    '--mantine-color-placeholder': 'var(--rk-dimmed)',
    '--mantine-color-error': 'var(--rk-bad)',
    '--mantine-color-anchor': 'var(--rk-accent-text)',
    '--mantine-color-default-border': 'var(--rk-border)',
  }
  return { variables: {}, light: both, dark: both }
}
