import { serve } from "../../provider/kit/serve";
import { Shelf, testProvider } from "./test-provider";

void serve(testProvider(new Shelf()));
