export type { ApiCallOptions, ApiClient } from '../../server/api/client';
