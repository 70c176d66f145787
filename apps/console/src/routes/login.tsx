import { createFileRoute } from '@tanstack/react-router'
import { CustomerArea } from '#customers/index.ts'

export const Route = createFileRoute('/login')({ component: () => <CustomerArea page="login" /> })
