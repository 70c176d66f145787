import { createFileRoute } from '@tanstack/react-router'
import { CustomerArea } from '#customers/CustomerArea.tsx'

export const Route = createFileRoute('/login')({ component: () => <CustomerArea page="login" /> })
