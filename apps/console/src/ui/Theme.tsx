import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, MantineProvider } from '@mantine/core'
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
  'var(--rk-accent-0)',
  '#dce2fb',
  '#b8c2f3',
  'var(--rk-accent-3)',
  '#7384e6',
  '#5b6fe0',
  'var(--rk-accent-6)',
  'var(--rk-accent-7)',
  'var(--rk-accent-8)',
  '#222e7c',
]

/** White text is readable on the shades from 6 on. */
const red: MantineColorsTuple = [
  '#fff1f1',
  '#ffdfdf',
  '#ffc2c2',
  'var(--rk-red-3)',
  '#f26d6d',
  '#df4a4a',
  'var(--rk-danger)',
  '#a82424',
  '#8d2020',
  '#761f1f',
]

const grey: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  'var(--rk-grey-2)',
  '#d8dce3',
  '#c3c9d3',
  '#9aa3b2',
  '#687282',
  'var(--rk-grey-7)',
  '#2f3644',
  'var(--rk-grey-9)',
]

const dark: MantineColorsTuple = [
  '#d6dae2',
  'var(--rk-dark-1)',
  '#99a2b3',
  '#646d7e',
  'var(--rk-dark-4)',
  'var(--rk-dark-5)',
  '#242932',
  'var(--rk-dark-7)',
  '#15181e',
  '#0f1216',
]

/** Dialogs and popovers are placed inside the page's main landmark, so that their headers are not a second banner. */
const overlays = { target: '#overlays' }

const dialogTitle = { fontWeight: 600, fontSize: 'var(--rk-text-title)' }

const fontFamily = 'var(--rk-font)'

const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  colors: { accent, red, gray: grey, dark },
  fontFamily,
  fontFamilyMonospace: 'var(--rk-font-code)',
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--rk-text-headline)', lineHeight: '1.4' },
      h2: { fontSize: 'var(--rk-text-title)', lineHeight: '1.45' },
      h3: { fontSize: 'var(--rk-text-normal)', lineHeight: '1.5' },
    },
  },
  fontSizes: {
    xs: 'var(--rk-text-small)',
    sm: 'var(--rk-text-normal)',
    md: 'var(--rk-text-normal)',
    lg: 'var(--rk-text-title)',
    xl: 'var(--rk-text-headline)',
  },
  spacing: {
    '3xs': 'var(--rk-space-3xs)',
    '2xs': 'var(--rk-space-2xs)',
    xs: 'var(--rk-space-xs)',
    sm: 'var(--rk-space-sm)',
    md: 'var(--rk-space-md)',
    lg: 'var(--rk-space-lg)',
    xl: 'var(--rk-space-xl)',
  },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.55', xl: '1.6' },
  defaultRadius: 'md',
  radius: {
    xs: 'var(--rk-radius-small)',
    sm: 'var(--rk-radius-small)',
    md: 'var(--rk-radius)',
    lg: 'var(--rk-radius-large)',
    xl: 'var(--rk-radius-large)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // By name: importing the components here would load them all with the login page.
  components: {
    Button: { defaultProps: { size: 'sm' } },
    InputWrapper: { styles: { label: { marginBottom: 'var(--rk-space-2xs)' } } },
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
