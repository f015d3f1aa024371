import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.converters.ArffLoader;

/**
 * Clocks Weka on an ARFF file: DEED FILE CLASS_INDEX WARM CLASSIFIER OPTION... After WARM seconds of the deed it says
 * "ready"; then, for each byte that it reads, it does the deed once more and says the CPU seconds of its thread.
 */
public class WekaClock {
  interface Deed { void run() throws Exception; }

  public static void main(String[] arguments) throws Exception {
    serve(deed(arguments), Double.parseDouble(arguments[3]));
  }

  static Deed deed(String[] arguments) throws Exception {
    File file = new File(arguments[1]);
    if (arguments[0].equals("load")) return () -> load(file);
    Instances data = load(file);
    data.setClassIndex(Integer.parseInt(arguments[2]));
    data.deleteWithMissingClass();
    String[] options = Arrays.copyOfRange(arguments, 5, arguments.length);
    if (arguments[0].equals("fit")) return () -> fit(arguments[4], options, data);
    if (!arguments[0].equals("predict")) throw new Exception("load, fit or predict, not " + arguments[0]);
    Classifier model = fit(arguments[4], options, data);
    return () -> { for (Instance row : data) model.distributionForInstance(row); };
  }

  static Instances load(File file) throws Exception {
    ArffLoader loader = new ArffLoader();
    loader.setFile(file);
    return loader.getDataSet();
  }

  static Classifier fit(String name, String[] options, Instances data) throws Exception {
    Classifier model = AbstractClassifier.forName(name, options.clone()); // it takes the options out of the array
    model.buildClassifier(data);
    return model;
  }

  static void serve(Deed deed, double warm) throws Exception {
    long begin = System.nanoTime();
    while ((System.nanoTime() - begin) * 1e-9 < warm) deed.run();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      deed.run();
      System.out.println((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) * 1e-9);
    }
  }
}
