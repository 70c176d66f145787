import { MantineProvider } from '@mantine/core'
import '@mantine/core/styles.layer.css'
import type { ReactNode } from 'react'
import { cssVariables, theme } from './mantine-theme.ts'

/**
 * Mantine for everything below. Not around the whole app: the sign-in page does without, so that it is drawn
 * at once, and loads all this while it is filled in.
 */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  )
}
