import { serve } from "../../../provider/kit/serve";
import { vsphereProvider } from "./definition";

void serve(vsphereProvider);
