import '@fontsource-variable/inter/index.css'
import './app/global.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from '#app/router.ts'
import { maintenanceAtStart } from '#customers/index.ts'
import { startLanguage } from '#locales/language.ts'

// The content security policy forbids eval, which zod would try for speed when the first schema is made.
// Its own setting, because importing it here would put it into the sign-in page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

void maintenanceAtStart()
await startLanguage()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
